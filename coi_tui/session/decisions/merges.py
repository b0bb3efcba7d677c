"""A paragraph of one idea put into a draft of another: where it goes, and what the draft is made from. Nothing is saved here."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.engine.text_parts import FIELD_HEADING, field_text
from coi_tui.model.errors import UsageError
from coi_tui.model.naming import version_name
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.queries.texts import paragraphs


@dataclass(frozen=True)
class Paragraph:
    """A part of an idea: a paragraph, or an item of a list, of the field that it stands in."""

    field: str
    text: str


@dataclass(frozen=True)
class MergeDraft:
    """A text to begin an edit with, made from the text in use at ``address`` and the version ``beside``.

    ``line``: where the text that was put in begins (from 0), None where several parts come from both; ``reason`` for the log;
    ``shown_as``: what the idea is called while its match is judged blind, empty where its address may be seen.
    """

    address: str
    text: str
    beside: int
    line: int | None = None
    reason: str = ""
    shown_as: str = ""


class Merges:
    """Drafts that are made from two ideas."""

    def __init__(self, core: SessionCore, edits: Edits) -> None:
        self._core, self._edits = core, edits

    def paragraphs(self, address: str) -> list[Paragraph]:
        """The parts of the idea in use that can be taken into another one, in order; its title is none of them."""
        version, kind = self._core.state.in_use(address), self._core.methods.kind(address)
        if version is None or kind is None:
            return []
        return [part for field in kind.fields if field.name != "title" for part in _parts(field, version.content.get(field.name))]

    def draft(self, source: str, paragraph: Paragraph, target: str) -> MergeDraft:
        """The text at ``target`` with a paragraph of ``source`` below what its field says; a kept draft is gone on with.

        Raises UsageError where one of the two is missing or not of the other's kind.
        """
        state, version, kind = self._core.state, self._core.state.in_use(source), self._core.methods.kind(target)
        if version is None or state.in_use(target) is None or kind is None or source == target:
            raise UsageError(f"No paragraph of {source} can go into {target}.", "Both must be ideas that are there.")
        kept = self._edits.draft(target)
        text, line = with_paragraph(kind, self._edits.text_of(target) if kept is None else kept, paragraph)
        reason = f"with a paragraph of {source} {version_name(state, source, version.seq)} ({paragraph.field})"
        return MergeDraft(target, text, version.seq, line, reason)


def _parts(field: EditableField, value: object) -> list[Paragraph]:
    texts = value if isinstance(value, list) else paragraphs(str(value or ""))
    return [Paragraph(field.name, said) for said in (str(text).strip() for text in texts) if said]


def with_paragraph(kind: CellKind, text: str, paragraph: Paragraph) -> tuple[str, int]:
    """A text as a person edits it with a paragraph at the end of its field, and the line on which the paragraph begins.

    A field that this kind does not have gives way to the last text of the kind: the idea itself.
    """
    named = (field for field in kind.fields if field.name == paragraph.field)
    field = next(named, None) or next(field for field in reversed(kind.fields) if field.form == "text")
    put = field_text(field, paragraph.text if field.form == "text" else [paragraph.text])
    before, after = _around(text, field.name)
    if before is None:  # a draft in which the person took the heading out, or a kind of one field
        before, put = text.rstrip("\n"), put if len(kind.fields) == 1 else f"## {field.name}\n{put}"
    empty = before.endswith(f"## {field.name}")
    start = f"{before}\n" if empty or field.form != "text" else f"{before}\n\n" if before else ""
    return f"{start}{put}\n{after}", start.count("\n")


def _around(text: str, field: str) -> tuple[str | None, str]:
    """A text up to the end of a field, and what follows after a blank line; None where it has no heading of that name."""
    headings = list(FIELD_HEADING.finditer(text))
    here = next((n for n, found in enumerate(headings) if found.group(1) == field), None)
    if here is None:
        return None, ""
    end = headings[here + 1].start() if here + 1 < len(headings) else len(text)
    return text[:end].rstrip("\n"), f"\n{text[end:]}" if text[end:] else ""
