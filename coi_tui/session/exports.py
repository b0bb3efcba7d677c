"""Hands a session to the exporters and writes what they make; one row as Markdown with its citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.export.bibliography import reference
from coi_tui.export.escape import inline, paragraphs
from coi_tui.methods.coi.growth import SIDES, why_stopped
from coi_tui.model.address import parse_address
from coi_tui.model.errors import UsageError
from coi_tui.model.naming import shown
from coi_tui.model.state import State
from coi_tui.session.queries.detail import detail
from coi_tui.session.queries.rows import arena

if TYPE_CHECKING:
    from coi_tui.export.snapshot import SessionSnapshot
    from coi_tui.session.session import Session


KINDS = {
    "md": "the proposal, with its evidence and warnings",
    "bib": "the references as BibTeX",
    "json": "everything as JSON, the decision log too",
    "svg": "the timeline as a picture",
}


def subject_of(session: Session) -> SessionSnapshot:
    """The session as the exporters see it, at this moment."""
    from coi_tui.export.snapshot import SessionSnapshot

    state = session.state
    table = arena(state)
    leader = table[0].player if table else None
    planned = [b for b in state.branches if state.in_use(f"{b}/exp") is not None]
    return SessionSnapshot(
        name=session.name,
        method=session.method.name,
        exported_at=session.clock(),
        state=state,
        fresh={address: f.status for address, f in session.fresh.items()},
        stopped={(b, side): why_stopped(state, b, side) for b in state.branches for side in SIDES},
        standings=table,
        calls=session.file.calls(),
        decisions=session.decisions(),
        failures=session.still_failed,
        branch=state.pick or (planned[0] if len(planned) == 1 else leader),
    )


def export(session: Session, kind: str) -> str:
    """Raises UsageError for an unknown kind."""
    if kind == "md":
        from coi_tui.export.markdown import proposal

        return proposal(subject_of(session))
    if kind == "json":
        from coi_tui.export.json_export import as_json

        return as_json(subject_of(session))
    if kind == "bib":
        from coi_tui.export.bibtex import bibtex

        return bibtex(subject_of(session))
    if kind == "svg":
        return _svg(session)
    raise UsageError(f"{kind!r} is no export format.", f"Use one of {', '.join(KINDS)}.")


def _svg(session: Session) -> str:
    from coi_tui.export.timeline_svg import Curve, Dot, TimelineDrawing, svg

    picture = session.timeline()
    order = [b for b, _ in picture.lanes]
    dots = tuple(
        Dot(
            n.address, order.index(n.branch), n.column, n.nth, n.surname, n.title, n.cites, n.anchor, n.verdict != "proposed", n.stale
        )
        for n in picture.nodes
    )  # fmt: skip
    curves = tuple(Curve(e.later, e.earlier, e.kind) for e in picture.edges)
    return svg(TimelineDrawing(picture.topic or session.name, tuple(c.label for c in picture.columns), picture.lanes, dots, curves))


def cautions_of(session: Session) -> list[tuple[str, str]]:
    """What the proposal would warn of now: kind and sentence."""
    from coi_tui.export.markdown import warned

    return warned(subject_of(session))


def write_beside(session: Session, kind: str) -> str:
    """Write an export beside the session under a name that is free; the path written."""
    path = session.file.path
    base = path.name.removesuffix(".coi.db")
    names = [f"{base}.{kind}", *(f"{base}-{n}.{kind}" for n in range(2, 100))]
    target = next((p for p in (Path(path.parent, n) for n in names) if not p.exists()), None)
    if target is None:
        raise UsageError("There are 99 exports beside the session already.", "Move some of them away.")
    return write(export(session, kind), str(target), overwrite=False)


def write(text: str, path: str, *, overwrite: bool) -> str:
    """Write atomically; an existing file only with ``overwrite``. Raises UsageError, StoreError."""
    from coi_tui.export.files import write_new

    target = Path(path).expanduser()
    write_new(target, text, overwrite=overwrite)
    return str(target)


def write_several(session: Session, targets: Mapping[str, Path], *, overwrite: bool) -> list[str]:
    """Write an export of each kind to its file, all or none; the paths written. Raises UsageError; then no file has changed."""
    from coi_tui.export.files import write_all

    files = [(path.expanduser(), export(session, kind)) for kind, path in targets.items()]
    write_all(files, overwrite=overwrite)
    return [str(path) for path, _ in files]


def written(paths: Sequence[str], key: str) -> str:
    """A sentence about what was written. ``key`` copies the paths."""
    if not paths:
        return "Nothing was written; the session itself is saved already."
    return f"Written, {key} copies the {'path' if len(paths) == 1 else 'paths'}: {', '.join(paths)}. The session itself is saved already."


def cited(state: State, address: str, session: str) -> str:
    """Title, text and where it comes from; for a paper and its card the reference with identifiers and address."""
    at, found = parse_address(address), detail(state, address)
    slot = state.slot(str(at.slot)) if at.part in ("slot", "card", "cands", "rel") else None
    paper = state.papers.get(slot.paper) if slot is not None and slot.paper else None
    head = f"## {inline(paper.title if paper else found.title)}"
    if paper is not None and at.part == "slot":
        parts = [f"**{inline(h)}** {paragraphs(t)}" for h, t in found.parts if h in ("CARD", "LIMITS", "ABSTRACT", "SUMMARY", "NOTE (you)")]
    else:
        parts = [f"**{inline(heading)}**\n\n{paragraphs(text)}" if heading else paragraphs(text) for heading, text in found.parts]
    source = reference(paper) if paper is not None else f"From the session “{inline(session)}”, {inline(shown(state, address))}."
    return "\n\n".join([head, *parts, source]) + "\n"
