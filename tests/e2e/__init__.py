"""End-to-end tests: the command line as a real process, offline or against services on loopback."""
