"""Session file, library file and their migrations."""
