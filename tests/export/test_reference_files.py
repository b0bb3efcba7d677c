"""BibTeX, CSL-JSON and RIS: the same papers under the same keys, and no title or name comes to
harm."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.title_match import show_title
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.bibtex import bibtex
from coi_tui.present.csl import csl_json
from coi_tui.present.references import Name, split_name
from coi_tui.present.ris import ris
from coi_tui.present.snapshot import SessionSnapshot

from .building import (
    COT,
    PAPERS,
    Builder,
    anchor_why,
    full,
    paper,
)

AWKWARD = (
    "50% of R&D: #1 in C_n, x^2 ~ {y} costs $5",
    r"The \alpha{}-rule, `code` and *stars* [sic]",
    "Zażółć gęślą jaźń: 链 of naïve Ⅻ 🜚",
    'Say "no" to it\'s --- dashes',
    "<b>Bold</b> & <script>x</script>",
    r"\input{/etc} and one brace { more",
    "} closed before it is { opened",
)
NAMES = (
    "Zoë Müller-Łęcki",
    "Maarten van der Berg",
    "Martin Luther King Jr.",
    "Garcia Lopez, Ana",
    "DeepSeek-AI",
    "The Gates Consortium",
)


def awkward() -> tuple[SessionSnapshot, list[str]]:
    ids = [f"2201.{n:05d}" for n in range(len(AWKWARD))]
    papers = [
        paper(i, title, 2022, *NAMES, ids={"arXiv": i, "DOI": f"10.1000/{i}"})
        for i, title in zip(ids, AWKWARD, strict=True)
    ]
    b = Builder({p.id: p for p in papers})
    for n, one in enumerate(papers, start=1):
        b.place(f"{n}/0", one.id, **anchor_why())
    return b.subject(), ids


def items(snapshot: SessionSnapshot) -> list[dict[str, Any]]:
    return json.loads(csl_json(snapshot))  # type: ignore[no-any-return]


def bib_keys(snapshot: SessionSnapshot) -> list[str]:
    return re.findall(r"^@\w+\{(.+),$", bibtex(snapshot), re.MULTILINE)


def test_all_formats_hold_the_same_papers_under_the_same_keys() -> None:
    b, more = full()
    snapshot = b.subject(**more)
    assert len(bib_keys(snapshot)) == len(PAPERS)
    assert (
        bib_keys(snapshot)
        == [item["id"] for item in items(snapshot)]
        == re.findall(r"^ID  - (.+)$", ris(snapshot), re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("write", "name"), [(bibtex, "a.bib"), (csl_json, "a.json"), (ris, "a.ris")]
)
def test_titles_names_and_identifiers_survive(write: Any, name: str) -> None:
    """Read again by the program's own reader of such files."""
    snapshot, ids = awkward()
    read = read_bibliography(write(snapshot), name)
    assert read.left_out == []
    assert [p.title for p in read.papers] == [show_title(title) for title in AWKWARD], (
        "tags go, as in titles of services"
    )
    assert [p.ids.get("DOI") for p in read.papers] == [f"10.1000/{i}" for i in ids]
    assert [p.ids.get("arXiv") for p in read.papers] == ids
    assert {p.year for p in read.papers} == {2022}
    assert all(p.authors[0] == NAMES[0] and len(p.authors) == len(NAMES) for p in read.papers)


def test_two_papers_of_one_title_and_year_are_two_references() -> None:
    """Many are called "Introduction". A record that names no author is taken for the one that
    does."""
    people: tuple[list[str], ...] = (["Ann Foo"], ["Bo Bar"], [])
    one, other, nobody = (
        paper(f"title:{n}", "Introduction", 2020, *names, ids={}) for n, names in enumerate(people)
    )
    both = Bibliography({p.id: p for p in (one, other)})
    assert [both.number(p.id) for p in (one, other)] == [1, 2]
    alike = Bibliography(
        {
            p.id: p
            for p in (
                one,
                one.model_copy(update={"id": "title:x", "authors": ("Foo, A.",)}),
                nobody,
            )
        }
    )
    assert {alike.number(i) for i in alike.papers} == {1}


def test_csl_has_types_names_dates_and_addresses() -> None:
    b, more = full()
    found = next(item for item in items(b.subject(**more)) if item["id"] == "wei2022chain")
    assert found == {
        "id": "wei2022chain",
        "type": "paper-conference",
        "title": COT.title,
        "container-title": "NeurIPS",
        "author": [{"family": "Wei", "given": "Jason"}, {"family": "Wang", "given": "Xuezhi"}],
        "issued": {"date-parts": [[2022, 1]]},
        "archive": "arXiv",
        "archive_location": "2201.11903",
        "URL": "https://arxiv.org/abs/2201.11903",
    }


@pytest.mark.parametrize(
    ("venue", "csl", "tag", "bib"),
    [
        ("Journal of Machine Learning Research", "article-journal", "JOUR", "article"),
        ("Proceedings of the ACL", "paper-conference", "CPAPER", "inproceedings"),
        ("arXiv.org", "article", "GEN", "misc"),
        (None, "article", "GEN", "misc"),
    ],
)
def test_the_kind_of_a_paper_is_the_same_in_each_format(
    venue: str | None, csl: str, tag: str, bib: str
) -> None:
    one = paper("2201.00001", "A Title", 2022, "Ada Ott", venue=venue)
    b = Builder({one.id: one})
    b.place("1/0", one.id, **anchor_why())
    snapshot = b.subject()
    assert items(snapshot)[0]["type"] == csl
    assert ris(snapshot).startswith(f"TY  - {tag}\n")
    assert ris(snapshot).endswith("ER  - \n")
    assert bibtex(snapshot).startswith(f"@{bib}{{ott2022title,")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Jason Wei", Name("Wei", "Jason")),
        ("Quoc V. Le", Name("Le", "Quoc V.")),
        ("Maarten van der Berg", Name("Berg", "Maarten", "van der")),
        ("Martin Luther King Jr.", Name("King", "Martin Luther", suffix="Jr.")),
        ("Garcia Lopez, Ana", Name("Garcia Lopez", "Ana")),
        ("DeepSeek-AI", Name("DeepSeek-AI")),
        ("Gates and Chains Team", Name("Gates and Chains Team")),
        ("danah boyd", Name("boyd", "danah")),
        (" ", Name("")),
    ],
)
def test_a_name_in_its_parts(said: str, name: Name) -> None:
    assert split_name(said) == name


def test_a_group_whose_name_holds_the_word_and_is_one_author_in_bibtex() -> None:
    one = paper("2201.00001", "A Title", 2022, "Gates and Chains Team", "Ada Ott")
    b = Builder({one.id: one})
    b.place("1/0", one.id, **anchor_why())
    assert "author = {{Gates and Chains Team} and Ada Ott}" in bibtex(b.subject())
