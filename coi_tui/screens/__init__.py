"""One subject a file, with its .tcss where it has one."""
