"""Pairwise judging, tournaments and ratings."""
