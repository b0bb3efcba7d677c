"""Screens about texts: editor, versions, differences, the log."""
