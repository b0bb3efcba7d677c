"""A session as a document: proposal in Markdown, references for reference managers, JSON (COI-16).

Everything comes in by argument; only ``write_new`` does I/O.
"""
