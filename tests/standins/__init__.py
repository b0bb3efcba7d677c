"""Tests of the loopback stand-in servers."""
