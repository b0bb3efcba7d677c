"""Benchmarks of coi-tui, and the loopback services they run against."""

TOPIC = "chain of thought reasoning in large language models"
"""A topic that the starter library covers well."""
