"""Benchmarks of coi-tui, and the loopback services they run against."""
