"""The researcher's own papers as lists for other programs: BibTeX, RIS and CSL-JSON, each with all
that is known of a paper when it is read from such a list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import partial

from coi_tui.literature.ids import PAGES, known_ids
from coi_tui.model.papers import Paper, order_key
from coi_tui.model.text import clean_line
from coi_tui.present.bibliography import address_of, citation_keys
from coi_tui.present.formats.bib import GROUP, entry, kind_of

_FAMILY = re.compile(
    r"(?!.*,)(.+?) ((?:(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|ter|ten|zu) )*\S+"
    r"(?: (?:Jr|Sr|II|III|IV)\.?)?)"
)


def own_list(papers: Iterable[Paper], form: str) -> str:
    """The papers in order of date, each under its citation key, as BibTeX (``bib``), RIS (``ris``)
    or CSL-JSON (``csl``)."""
    found = [
        p.model_copy(update={"title": f"RETRACTED: {p.title}"}) if p.retracted else p
        for p in sorted(papers, key=order_key)
    ]
    keys = citation_keys(found)
    if form == "csl":
        items = [_csl(paper, keys[paper.id]) for paper in found]
        return json.dumps(items, indent=1, ensure_ascii=False)
    write = _ris if form == "ris" else partial(entry, whole=True)
    return "\n".join(write(keys[paper.id], paper) for paper in found)


def _names(paper: Paper) -> list[tuple[str, str]]:
    """Family and given names; what is no person's is whole."""
    found = ((name, not GROUP.search(name) and _FAMILY.fullmatch(name)) for name in paper.authors)
    return [(parts[2], parts[1]) if parts else (name, "") for name, parts in found]


def _ris(key: str, paper: Paper) -> str:
    ids = known_ids(paper)
    people = "\n".join(f"AU  - {', '.join(filter(None, name))}" for name in _names(paper))
    pages = "\n".join(f"UR  - {page}{ids[name]}" for name, page in PAGES.items() if name in ids)
    record = f"""TY  - {kind_of(paper)[2]}
ID  - {key}
TI  - {clean_line(paper.title)}
{people}
T2  - {clean_line(paper.venue)}
PY  - {paper.year or ""}
DA  - {(paper.published or "").replace("-", "/")}
AB  - {clean_line(paper.abstract)}
DO  - {ids.get("DOI", "")}
{pages}
"""
    return re.sub(r"^(?:\w\w  - )?\n", "", record, flags=re.MULTILINE) + "ER  - \n"


def _csl(paper: Paper, key: str) -> dict[str, object]:
    ids, when = known_ids(paper), paper.published or str(paper.year or "")
    fields = {
        "id": key,
        "type": kind_of(paper)[3],
        "title": paper.title,
        "author": [
            {"family": family, "given": given} if given else {"literal": family}
            for family, given in _names(paper)
        ],
        "container-title": paper.venue,
        "issued": when and {"date-parts": [list(map(int, when.split("-")))]},
        "abstract": paper.abstract,
        "DOI": ids.pop("DOI", ""),
        "PMID": ids.pop("PMID", ""),
        "URL": address_of(paper),
        "note": "\n".join(map(": ".join, ids.items())),
    }
    return {name: value for name, value in fields.items() if value}
