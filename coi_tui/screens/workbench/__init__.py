"""The workbench: the screen of an open session, its panes, and the keys that act on a row."""
