"""coi-tui: steer the making of a research idea, step by step, and keep every step."""

__version__ = "0.1.0"
