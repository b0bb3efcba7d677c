"""A recorded run: the replies of a language model to every prompt of a session over the starter
library, and the session made of them.

``replies.jsonl`` has one reply a line: address and name of its prompt, what the prompt must be
about, the reply, and how it was ``made``: recorded, condensed from the recording where a prompt
asks for less now, or written for the example where a prompt is newer.
``session.coi.db.xz`` is the session that ``scripts/recorded.py`` makes from them.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent

REPLIES, SESSION = _HERE / "replies.jsonl", _HERE / "session.coi.db.xz"
TOPIC = "grammars for interactive visualization"
