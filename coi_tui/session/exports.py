"""Hands a session to the exporters and writes what they make; one row as Markdown with its
citation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from coi_tui.arena.ratings import leader
from coi_tui.methods.ideas.stages import planned
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import instance_of, parse_address
from coi_tui.model.document import ProposalWarning
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.model.text import listed
from coi_tui.present.bibliography import reference
from coi_tui.present.bibtex import bibtex
from coi_tui.present.comparisons import arena
from coi_tui.present.csl import csl_json
from coi_tui.present.escape import inline, paragraphs
from coi_tui.present.files import write_all, write_new
from coi_tui.present.json_export import as_json
from coi_tui.present.latex import latex
from coi_tui.present.markdown import proposal
from coi_tui.present.options import ProposalOptions
from coi_tui.present.ris import ris
from coi_tui.present.snapshot import ExportContext, SessionSnapshot
from coi_tui.present.timeline_svg import TimelineDrawing, svg
from coi_tui.present.warnings import warnings_of
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.detail import detail

__all__ = [
    "EXTENSIONS",
    "KINDS",
    "Exports",
    "ProposalOptions",
    "cited",
    "written",
]

KINDS = {
    "md": "the proposal, three pages at most",
    "tex": "the proposal in LaTeX",
    "bib": "the references as BibTeX",
    "csl": "the references as CSL-JSON (Zotero, pandoc)",
    "ris": "the references as RIS (EndNote and others)",
    "json": "everything as JSON, the decision log too",
    "svg": "the timeline as a picture",
}
EXTENSIONS = {kind: kind for kind in KINDS} | {"csl": "csl.json"}
"""How the name of each kind's file ends."""


_REFERENCES: Mapping[str, Callable[[SessionSnapshot], str]] = {
    "bib": bibtex,
    "csl": csl_json,
    "ris": ris,
}


class Exports:
    """What can be written out of a session. ``timeline`` gives its picture as data."""

    def __init__(self, core: SessionCore, timeline: Callable[[], TimelineDrawing]) -> None:
        self._core, self._timeline = core, timeline
        self._checked: tuple[int, list[str]] = (-1, [])

    def text(self, kind: str = "md", options: ProposalOptions | None = None) -> str:
        """An export of one of ``KINDS``; the options are for the proposal. Raises UsageError for an unknown kind."""
        if kind in ("md", "tex"):
            return (proposal if kind == "md" else latex)(self.snapshot(options), options)
        if kind == "svg":
            return svg(self._timeline())
        if kind == "json":
            return as_json(self.snapshot())
        if kind in _REFERENCES:
            return _REFERENCES[kind](self.snapshot())
        raise UsageError(f"Unknown export format {kind!r}.", f"Use one of {', '.join(KINDS)}.")

    def damage(self) -> list[str]:
        """What of the session file is not as it was written; looked for once for each state."""
        if self._checked[0] != self._core.state.seq:
            self._checked = (self._core.state.seq, self._core.file.verify())
        return self._checked[1]

    def warnings(self, options: ProposalOptions | None = None) -> list[ProposalWarning]:
        """What the proposal would warn of now."""
        return warnings_of(ExportContext(self.snapshot(options), options))

    def cited(self, address: str) -> str:
        """A row as Markdown with its citation."""
        return cited(self._core.state, self._core.methods, address, self._core.name)

    @property
    def stem(self) -> str:
        """The name of the session's file, from which those of its exports begin."""
        return self._core.file.path.name.removesuffix(".coi.db")

    def write(self, text: str, path: str, *, overwrite: bool = False) -> str:
        """Write an exported text atomically; an existing file only with ``overwrite``. The path.
        Raises UsageError, StoreError."""
        target = Path(path).expanduser()
        write_new(target, text, overwrite=overwrite)
        return str(target)

    def write_all(
        self,
        targets: Mapping[str, Path],
        *,
        overwrite: bool = False,
        options: ProposalOptions | None = None,
    ) -> list[str]:
        """Write an export of each kind to its file, all or none; the whole paths written. Raises
        UsageError; then no file has changed."""
        files = [(path.expanduser(), self.text(kind, options)) for kind, path in targets.items()]
        write_all(files, overwrite=overwrite)
        return [str(path.absolute()) for path, _ in files]

    def snapshot(self, options: ProposalOptions | None = None) -> SessionSnapshot:
        """The session as the exporters see it, at this moment."""
        core = self._core
        state = core.state
        table = arena(state)
        leading = leader(state, table)
        every = options is not None and options.every_idea
        with_plan = planned(state)
        chosen = state.pick or (with_plan[0] if len(with_plan) == 1 else leading)
        decisions = core.decision_log()
        instances = {
            instance_of(branch)
            for branch in state.branches
            if state.in_use(f"{branch}/idea") is not None
        }
        methods = core.methods.instances
        names = [method.name for name, method in methods.items() if name in instances] or [
            method.name for method in methods.values()
        ]
        return SessionSnapshot(
            name=core.name,
            method=listed(list(dict.fromkeys(names))),
            exported_at=core.clock(),
            state=state,
            fresh={address: f.status for address, f in core.fresh.items()},
            stopped={
                (b, side): why
                for b in state.branches
                for side, why in core.methods.ends(state, b).items()
            },
            standings=table,
            calls=core.file.calls(),
            decisions=decisions,
            failures=core.still_failed,
            failed_checks=core.failed_checks,
            damage=self.damage(),
            branch=chosen,
            every=every,
            methods=core.methods,
            document=core.methods.document(
                state, [chosen] if chosen is not None and not every else state.branches, decisions
            ),
        )


def written(paths: Sequence[str], key: str) -> str:
    """A sentence about what was written. ``key`` copies the paths."""
    if not paths:
        return "Nothing was written; the session itself is already saved."
    copies = f"{key} copies the {'path' if len(paths) == 1 else 'paths'}"
    return f"Written, {copies}: {', '.join(paths)}. The session itself is already saved."


def cited(state: State, methods: SessionMethods, address: str, session: str) -> str:
    """Title, text and where it comes from; for a paper and its card the reference with identifiers
    and address."""
    at, found = parse_address(address), detail(state, methods, address)
    slot = state.slot(str(at.slot)) if at.part in ("slot", "card", "cands", "rel") else None
    paper = state.papers.get(slot.paper) if slot is not None and slot.paper else None
    head = f"## {inline(paper.title if paper else found.title)}"
    parts = _parts(found.parts, of_paper=paper is not None and at.part == "slot")
    source = (
        reference(paper)
        if paper is not None
        else f"From the session “{inline(session)}”, {inline(address)}."
    )
    return "\n\n".join([head, *parts, source]) + "\n"


def _parts(parts: Sequence[tuple[str, str]], *, of_paper: bool) -> list[str]:
    """The texts of a row as Markdown; of a paper only what was read of it."""
    if of_paper:
        read = ("Card", "Limits", "Abstract", "Summary", "Note (you)")
        return [
            f"**{inline(heading)}** {paragraphs(text)}"
            for heading, text in parts
            if heading in read
        ]
    return [
        f"**{inline(heading)}**\n\n{paragraphs(text)}" if heading else paragraphs(text)
        for heading, text in parts
    ]
