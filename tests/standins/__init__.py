"""Loopback servers that tests stand on."""
