"""PUBLISH: tables and pages to files and terminal text, one file a format."""
