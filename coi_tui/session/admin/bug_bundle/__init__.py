"""A bundle for a bug report: numbers, kinds and versions, and nothing that a person or a paper has written.

Nothing is copied and then cleaned. Every value is made anew from a fixed list of words of this program, or is a number.
"""
