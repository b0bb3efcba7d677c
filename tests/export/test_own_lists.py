"""Own papers as BibTeX, RIS and CSL-JSON: what was read from a list and is written is read again as
it was, and pandoc reads it too."""

import json
import random
from itertools import pairwise

import pypandoc  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.list_entries import ListEntry
from coi_tui.model.papers import Paper, order_key
from coi_tui.present.own_lists import own_list

FORMS = ("bib", "ris", "csl")
SIGNS = list("abcÄéñß链жΩ012 ,.;:()[]/&%$#_{}~^\\<>\"'`*+=?!|@-–—’“”")
WORDS = ("Gates", "chains", "R&D", "C_n", "{GPT-4}", "50%", "$5", "naïve", "链", "x^2", "a~b", "#1")
GIVEN = ("Ann", "Bo", "Zoë", "J. R.", "Jean-Luc", "Łukasz", "O'Neil")
FAMILY = ("Bar", "van der Foo", "King Jr.", "Müller-Łęcki", "de la Cruz", "Garcia Lopez", "O’Brien")
GROUPS = ("The Shelf Group", "DeepSeek-AI", "Chain Consortium")
DOIS = (
    "chain(7)",
    "(sici)1097(1998)49:8<693::aid-asi4>3.0.co;2-",
    "a#b&c~d",
    "s[1]{2}^3",
    "50%$",
    "é链",
)
VENUES = ("Journal of Chains", "Proceedings of the Chain Conference", "arXiv.org", "PLoS ONE", "")


def identifiers(number: int) -> dict[str, str]:
    """Every scheme, with values that differ by the number."""
    return {
        "DOI": f"10.1234/{DOIS[number % len(DOIS)]}x_{number}",
        "arXiv": f"2201.{number % 100_000:05d}",
        "PMID": str(number + 1),
        "S2": f"{number:040x}",
        "CorpusId": str(number + 7),
        "OpenAlex": f"W{number + 1}",
        "ACL": f"P18-{number % 10_000:04d}",
    }


def made(draw: random.Random, number: int, title: str, abstract: str) -> Paper | None:
    """A paper as a list may have it."""
    people = [
        f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}" for _ in range(draw.choice((0, 1, 2, 3, 20)))
    ]
    known = identifiers(number)
    schemes = draw.sample(list(known), draw.randrange(len(known) + 1))
    return ListEntry(
        title=title,
        date=draw.choice(("", "1999", "2020-05", "2021-12-31")),
        authors=[*people, *draw.sample(GROUPS, draw.randrange(2))],
        venue=draw.choice(VENUES),
        abstract=abstract,
        ids=[f"{scheme}:{known[scheme]}" for scheme in schemes],
        key=f"bar{number}gates",
    ).paper()


def again(papers: list[Paper], form: str) -> list[Paper]:
    text = own_list(papers, form)
    found = read_bibliography(text, "a.bib" if form == "bib" else "a.txt")
    assert found.left_out == []
    return found.papers


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.text(st.sampled_from(SIGNS), min_size=1, max_size=60),
            st.text(st.sampled_from(SIGNS), max_size=80),
        ),
        min_size=10,
        max_size=10,
    ),
    st.randoms(use_true_random=False),
)
def test_what_was_read_and_written_is_read_as_it_was(
    form: str, texts: list[tuple[str, str]], draw: random.Random
) -> None:
    """Five hundred records of each format."""
    papers = [made(draw, n, f"Gates {n} {title}", text) for n, (title, text) in enumerate(texts)]
    first = sorted(filter(None, papers), key=order_key)
    assert len(first) == 10
    read = again(first, form)
    assert again(read, form) == read
    for before, after in zip(first, read, strict=True):
        tex = {"--", "''", "``"} & {a + b for a, b in pairwise(f"{before.title} {before.abstract}")}
        assert (form == "bib" and tex) or after == before  # TeX makes other signs of these


def five_hundred() -> list[Paper]:
    draw = random.Random(5)
    papers = [
        made(
            draw,
            n,
            f"{'' if n % 9 else 'RETRACTED: '}{' '.join(draw.choices(WORDS, k=4 if n % 7 else 60))} {n}",
            " ".join(draw.choices(WORDS, k=9)),
        )
        for n in range(500)
    ]
    return sorted(filter(None, papers), key=order_key)


@pytest.mark.parametrize(
    ("form", "named"), [("bib", "biblatex"), ("ris", "ris"), ("csl", "csljson")]
)
def test_pandoc_reads_them_all(form: str, named: str) -> None:
    """Another program's reader: as many references, titles and families."""
    papers = five_hundred()[::10]
    items = json.loads(pypandoc.convert_text(own_list(papers, form), "csljson", format=named))
    assert len(items) == len(papers)
    years = [item.get("issued", {}).get("date-parts", [[None]])[0][0] for item in items]
    assert years == [paper.year for paper in papers]
    families = [
        {who.get("family", who.get("literal")) for who in i.get("author", [])} for i in items
    ]
    assert all(
        "Bar" in names for p, names in zip(papers, families, strict=True) if "Bo Bar" in p.authors
    )


def test_nothing_is_an_empty_list() -> None:
    assert [own_list([], form) for form in FORMS] == ["", "", "[]"]
    assert read_bibliography("[]", "a.json").papers == []


def test_a_family_name_is_what_other_programs_sort_by() -> None:
    papers = [Paper(id=f"title:{n}", title=n, authors=(n,)) for n in (
        "Maarten van der Berg", "Martin Luther King Jr.", "The Shelf Group", "Plato", "Garcia Lopez, Ana")]  # fmt: skip
    names = [line for line in own_list(papers, "ris").splitlines() if line.startswith("AU")]
    assert sorted(names) == [
        "AU  - Garcia Lopez, Ana",
        "AU  - King Jr., Martin Luther",
        "AU  - Plato",
        "AU  - The Shelf Group",
        "AU  - van der Berg, Maarten",
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_paper_without_a_key_comes_back_with_the_one_made_for_it(form: str) -> None:
    paper = five_hundred()[0].model_copy(update={"citation_key": ""})
    (read,) = again([paper], form)
    assert read.citation_key
    assert again([read], form) == [read]
