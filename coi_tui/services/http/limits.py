"""How many parts an answer of a service may have."""

MOST_GROUPS, MOST_PARTS = 400_000, 2_200_000
"""Objects and lists, and commas, that one answer in JSON may have: each takes up to a hundred bytes
of memory once it is read. The longest lists of papers have a tenth of that, and 256 vectors of
8,192 numbers just as many."""


def check_parts(body: bytes) -> None:
    """Raises ValueError for JSON of so many parts that reading it would take many times its size:
    ``[],[],[] ...``."""
    if body.count(b"[") + body.count(b"{") > MOST_GROUPS or body.count(b",") > MOST_PARTS:
        raise ValueError("it has too many parts")
