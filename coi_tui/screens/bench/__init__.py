"""The workbench: the tree of a session and every key on it."""
