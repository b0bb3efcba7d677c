"""Proposals leave as Markdown, BibTeX and JSON."""
