"""What there is to see of the own papers: where each comes from, what is known of it, and which
sessions use it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coi_tui.literature.ids import known_ids
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, count, has_words, joined, listed
from coi_tui.paths import Paths
from coi_tui.present.bibliography import address_of
from coi_tui.session.papers.own_links import NEITHER, NO_LINKS, OwnLinks
from coi_tui.session.papers.own_papers import lists_taken, own_papers, texts
from coi_tui.session.papers.zotero_import import Shelf
from coi_tui.session.wording import ago
from coi_tui.store.summary import list_sessions, papers_in


@dataclass(frozen=True)
class OwnPaper:
    """``sources``: the lists and collections that it came with, each with what is to be said of it;
    ``cites``, ``cited``: how many of its references and of the papers that cite it are known, of
    which nobody was asked where it is ``unasked``; ``pdf``: what is noted of the text of its PDF;
    ``chains``: the sessions in whose chains it stands; ``met``: others that found it."""

    paper: Paper
    sources: Mapping[str, str]
    tags: tuple[str, ...]
    cites: int
    cited: int
    unasked: bool
    pdf: Mapping[str, str]
    chains: tuple[str, ...]
    met: tuple[str, ...]

    def fits(self, words: str) -> bool:
        """Whether title, authors, year, tags and sources contain every word."""
        paper = self.paper
        parts = (paper.title, *paper.authors, str(paper.year), *self.tags, *self.sources)
        return has_words(" ".join(parts), words)

    @property
    def address(self) -> str:
        """That of its PDF where the file is still there, else of a page about it; empty for
        neither. Looks at the disk."""
        place = Path(self.pdf.get("place", ""))
        return place.as_uri() if place.is_file() else address_of(self.paper)

    def facts(self) -> list[tuple[str, str]]:
        """What is known of it beside its record, as names and sentences."""
        pdf, place = self.pdf, clean_line(self.pdf.get("place", ""))
        sides = (
            f"cites {count(self.cites, 'known paper')}" if self.cites else "",
            f"cited by {count(self.cited, 'known paper')}" if self.cited else "",
        )
        uses = (
            f"in a chain of {listed(self.chains)}" if self.chains else "",
            f"found by {listed(self.met)}" if self.met else "",
        )
        facts = [
            ("From", "; ".join(f"{name} {note}".strip() for name, note in self.sources.items())),
            ("Tags", ", ".join(self.tags)),
            ("Links", joined(", ", *sides) or (NO_LINKS if pdf else NEITHER)),
            ("PDF", joined("; ", pdf.get("note"), place or pdf.get("file")) or "none"),
            ("Used", joined("; ", *uses) or "in no session"),
        ]
        return [fact for fact in facts if fact[1]]


def overview(
    paths: Paths,
    shelves: Sequence[Shelf],
    in_chains: Mapping[Path, Collection[str]] = {},
    *,
    whole: bool = True,
) -> list[OwnPaper]:
    """The own papers in the order they came. ``shelves``: what was taken from Zotero; ``in_chains``:
    the papers in the chains of sessions that are open, by their files; of the others it is read.
    Links and sessions, which take time, are left out unless it is to be ``whole``: call it off the
    event loop. Raises StoreError."""
    own, pdfs = own_papers(paths), texts(paths)
    links = OwnLinks(paths, own)
    cites, cited = (Counter(pair[end] for pair in (links.links if whole else ())) for end in (0, 1))
    unasked = {paper.id for paper in (links.to_ask() if whole else ())}
    sources, tags = _sources(paths, shelves, pdfs), defaultdict[str, list[str]](list)
    for shelf in shelves:
        for key, names in shelf.tags.items():
            tags[shelf.papers[key]] += names
    chains, met = _sessions(paths, own if whole else (), in_chains)
    return [
        OwnPaper(
            paper,
            sources[paper.id],
            tuple(dict.fromkeys(tags[paper.id])),
            cites[paper.id],
            cited[paper.id],
            paper.id in unasked,
            pdfs.get(paper.id, {}),
            tuple(chains[paper.id]),
            tuple(name for name in met[paper.id] if name not in chains[paper.id]),
        )
        for paper in own
    ]


def _sources(
    paths: Paths, shelves: Sequence[Shelf], pdfs: Collection[str]
) -> Mapping[str, dict[str, str]]:
    """Where papers come from, by their ids."""
    found = defaultdict[str, dict[str, str]](dict)
    for name, papers in lists_taken(paths).items():
        for paper in papers:
            found[paper][name] = ""
    for shelf in shelves:
        for key, paper in shelf.papers.items():
            gone = f", removed there by {shelf.removed[key]}" if key in shelf.removed else ""
            found[paper][f"Zotero: {shelf.name}"] = f"(read {ago(shelf.read)}{gone})"
    for paper in pdfs:
        found[paper] = found[paper] or {"its PDF": ""}
    return found


_Names = defaultdict[str, dict[str, None]]


def _sessions(
    paths: Paths, own: Collection[Paper], in_chains: Mapping[Path, Collection[str]]
) -> tuple[_Names, _Names]:
    """The sessions in whose chains own papers stand, and all that met them, by the ids of these."""
    by_id = {name: p.id for p in own for name in (p.id, *map(":".join, known_ids(p).items()))}
    chains, met = _Names(dict), _Names(dict)
    for header in list_sessions(paths.sessions) if own else ():
        used = in_chains.get(header.path, header.summary.used)
        for name, ids in papers_in(header).items():
            for paper in {by_id[one] for one in (name, *ids) if one in by_id}:
                met[paper][header.name] = None
                if name in used:
                    chains[paper][header.name] = None
    return chains, met
