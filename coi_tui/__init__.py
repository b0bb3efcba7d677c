"""coi-tui: steer the making of a research idea, step by step, and keep every step."""

__version__ = "0.1.0"

DEMO_TOPIC = "retrieval-augmented generation for open-domain question answering"
"""What the demo is about: a topic that the starter library covers well."""
