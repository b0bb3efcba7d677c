"""Screens about papers: candidates, pins, the shelf, reading."""
