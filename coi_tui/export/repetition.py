"""One paragraph stands once: what a proposal says already is not said again word for word."""

from __future__ import annotations

import re
from dataclasses import replace

from coi_tui.export.bibliography import normalise
from coi_tui.model.document import Block, Paragraph, Passage, Section

LEAST = 8
"""Words from which on a line counts: a shorter one, such as "Accuracy.", may be said twice."""

REPEATED = "This text stands elsewhere in this document, word for word."

_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_SENTENCE = re.compile(r"(?<=[.!?])[”\"']?\s+")


class Told:
    """The sentences that a document has said so far."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def fresh(self, text: str) -> str:
        """The text without the lines whose every sentence has been said before; what remains counts as said from now on."""
        lines = [line for line in text.split("\n") if not self._repeats(line)] if not self._repeats(text) else []
        for line in lines:
            self._said.update(_sentences(line))
        return "\n".join(lines).strip() if any(map(str.strip, lines)) else ""

    def _repeats(self, text: str) -> bool:
        sentences = [sentence for line in text.split("\n") for sentence in _sentences(line)]
        return sum(len(s.split()) for s in sentences) >= LEAST and self._said.issuperset(sentences)

    def section(self, section: Section) -> Section:
        """A method's section with its texts made fresh; a text that is gone whole leaves a sentence that says so."""
        return replace(section, blocks=tuple(map(self._block, section.blocks)))

    def _block(self, block: Block | Section) -> Block | Section:
        if isinstance(block, Section):
            return self.section(block)
        if not isinstance(block, Passage) or not block.text.strip():
            return block
        text = self.fresh(block.text)
        return replace(block, text=text) if text else Paragraph(REPEATED)


def _sentences(line: str) -> list[str]:
    """The sentences of a line for comparing: without the sign or the number of a list, case and punctuation made alike."""
    return [said for part in _SENTENCE.split(_ITEM.sub("", line)) if (said := normalise(part))]
