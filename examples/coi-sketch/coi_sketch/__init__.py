"""Sketch: what is known, what was found, one idea a branch."""
