"""A small suite for the stand-ins, as a file."""

import json
from pathlib import Path

from tests.support.standins import make_corpus

SUITE = """
topics = {topics}
words = 60
{more}

[[contestant]]
name = "one chain"
method = "Chain of Ideas"
settings = {{branches = 1, length = 1, forward = 0, backward = 0, minimum = 1, novelty_queries = 1}}

[[contestant]]
name = "one call"
method = "One call"

[[judge]]
name = "stand-in"
model = "standin-main"
"""


def suite_file(home: Path, topics: int, more: str = "") -> Path:
    """A suite on so many topics; ``more``: further lines of its settings."""
    names = json.dumps(make_corpus().topics[:topics])
    file = home / "suite.toml"
    file.write_text(SUITE.format(topics=names, more=more), encoding="utf-8")
    return file
