"""Imitate-and-Evolve: two papers as paradigm, a plan after their outlines, and a manuscript that
grows section by section."""
