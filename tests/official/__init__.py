"""FIDE's own figures, and the programs' published ones, worked out again through the command line."""
