"""A recorded run: the replies of a language model to every prompt of a session over the starter library, and what was made of them.

``replies.jsonl`` has one reply a line: address and name of its prompt, what the prompt must be about, and the reply. ``session.coi.db.xz``
is the session that ``scripts/recorded.py`` makes from them, ``proposal.md`` a proposal that the model wrote from its winning idea.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent

REPLIES, SESSION, PROPOSAL = _HERE / "replies.jsonl", _HERE / "session.coi.db.xz", _HERE / "proposal.md"
TOPIC = "grammars for interactive visualization"
