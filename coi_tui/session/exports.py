"""Hands a session to the exporters and writes what they make; one row as Markdown with its
citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from coi_tui.methods.ideas.matches import leader
from coi_tui.methods.ideas.stages import planned
from coi_tui.model.address import cell_at, instance_of
from coi_tui.model.errors import UsageError
from coi_tui.model.text import listed
from coi_tui.paths import write_files
from coi_tui.present import formats
from coi_tui.present.comparisons import arena
from coi_tui.present.formats.md import Markdown, render
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import WITH_APPENDIX, ProposalOptions, SessionSnapshot
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.own_papers import own_keys
from coi_tui.session.queries.rows import session_rows
from coi_tui.store.session_file import SessionFile

__all__ = ["Exports", "ProposalOptions", "titles_of_formats", "written"]


class Exports:
    """What can be written out of a session."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def text(self, kind: str = "md", options: ProposalOptions | None = None) -> str:
        """An export in a format; the options are for the proposal. Raises UsageError for an
        unknown format, and for one that is no text."""
        made = self.content(kind, options)
        if isinstance(made, bytes):
            raise UsageError(f"{kind} is no text to be printed.", "Name a file: --out FILE.")
        return made

    def content(self, kind: str, options: ProposalOptions | None = None) -> str | bytes:
        """The same in any format."""
        if kind not in formats.names():
            known = ", ".join(formats.names())
            raise UsageError(f"Unknown export format {kind!r}.", f"Use one of {known}.")
        return formats.load(kind).write(self.snapshot(), options)

    def paragraphs(self) -> Mapping[str, Sequence[str]]:
        """The paragraphs that the web page numbers, by the address of their text."""
        proposal = Proposal(self.snapshot(), WITH_APPENDIX)
        render(proposal, out := Markdown(proposal.bibliography))
        return out.paragraphs

    def damage(self) -> list[str]:
        """What of the session file is not as it was written."""
        return _damage(self._core.file, self._core.state.seq)

    def warned(self, options: ProposalOptions | None) -> list[str]:
        """What the proposal would warn of now, in its words: what is open, then the gravest
        warnings."""
        proposal = Proposal(self.snapshot(), options)
        return [proposal.still_open, *proposal.warning_lines]

    @property
    def stem(self) -> str:
        """The name of the session's file, from which those of its exports begin."""
        return self._core.file.path.name.removesuffix(".coi.db")

    def write_all(
        self,
        targets: Mapping[str, Path],
        *,
        overwrite: bool,
        options: ProposalOptions | None,
    ) -> list[str]:
        """Write an export in each format to its file; the whole paths written. Raises UsageError;
        where one of the files exists or an export fails, none is written."""
        files = {path.expanduser(): self.content(kind, options) for kind, path in targets.items()}
        write_files(files, overwrite)
        return [str(path.absolute()) for path in files]

    def snapshot(self) -> SessionSnapshot:
        """The session as the exporters see it, at this moment."""
        core = self._core
        state, methods = core.state, core.methods
        table, with_plan = arena(state), planned(state)
        chosen = state.pick or (with_plan[0] if len(with_plan) == 1 else leader(state, table))
        ideas = [b for b in state.branches if state.in_use(cell_at(b, "idea"))]
        used = {instance_of(branch) for branch in ([chosen] if chosen else ideas)}
        every = {name: method.name for name, method in methods.instances.items()}
        names = [every[name] for name in every if name in used] or every.values()
        failing = core.failed_checks.keys() | core.still_failed.keys()
        return SessionSnapshot(
            name=core.name,
            method=listed([*dict.fromkeys(names)]),
            exported_at=core.clock(),
            state=state,
            fresh={address: f.status for address, f in core.fresh.items()},
            standings=table,
            calls=core.file.calls(),
            decisions=core.decision_log(),
            failures={
                failed.address: failed.cause  # without the words of a service
                for failed in core.journal.failures
                if failed.address in failing
            },
            damage=self.damage(),
            branch=chosen,
            to_decide=sum(row.needs_decision for row in session_rows(core)),
            methods=methods,
            own_keys=own_keys(core.paths, state.papers.values()),
        )


@lru_cache(maxsize=1)  # several exports of one state look at it
def _damage(file: SessionFile, _seq: int) -> list[str]:
    return file.verify()


def titles_of_formats() -> dict[str, str]:
    """What each format is, by its name, those of the proposal first."""
    found = {name: formats.load(name) for name in formats.names()}
    return {name: found[name].title for name in sorted(found, key=lambda n: not found[n].options)}


def written(paths: Sequence[str]) -> str:
    """A sentence about what was written."""
    if not paths:
        return "Nothing was written; the session itself is already saved."
    return f"Written: {', '.join(paths)}. The session itself is already saved."
