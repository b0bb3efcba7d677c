"""The list of sessions, and making a new one."""
