"""How much the starter library holds, and how much of it was checked."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.literature.starter.library import StarterLibrary, load


@dataclass(frozen=True)
class LineageStats:
    """Counts of one lineage; ``checked`` of its ``links`` were found in a source."""

    lineage: str
    papers: int
    links: int
    checked: int

    @property
    def share(self) -> float:
        """Checked links over all links, 0 where there are none."""
        return self.checked / self.links if self.links else 0.0


def stats(library: StarterLibrary | None = None) -> tuple[LineageStats, ...]:
    """One row a lineage, by name, then a row ``all``."""
    library = load() if library is None else library
    rows = [_row(library, name) for name in sorted({*library.lineage.values(), *library.link_lineage})]
    total = LineageStats("all", sum(r.papers for r in rows), sum(r.links for r in rows), sum(r.checked for r in rows))
    return (*rows, total)


def _row(library: StarterLibrary, name: str) -> LineageStats:
    links = [link for link, lineage in zip(library.links, library.link_lineage, strict=True) if lineage == name]
    papers = sum(lineage == name for lineage in library.lineage.values())
    return LineageStats(name, papers, len(links), sum(link.kind == "cites" for link in links))


def table(rows: tuple[LineageStats, ...]) -> str:
    """The rows as text, a line each."""
    lines = [f"{'lineage':<20}{'papers':>8}{'links':>8}{'checked':>9}{'share':>8}"]
    lines += [f"{r.lineage:<20}{r.papers:>8}{r.links:>8}{r.checked:>9}{r.share:>8.0%}" for r in rows]
    return "\n".join(lines) + "\n"
