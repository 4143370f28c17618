"""Whole months as folders of files."""
