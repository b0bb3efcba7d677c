"""coi-tui: steer the making of a research idea, step by step, and keep every step."""

import os

os.environ.setdefault("TEXTUAL_FPS", "240")
"""How often a second Textual looks whether there is something to paint. It paints only what
changed; 60, its own figure, adds up to 17 ms to every key."""

__version__ = "0.1.0"
