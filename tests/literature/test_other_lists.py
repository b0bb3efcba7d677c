"""RIS, PubMed's and Web of Science's tags, and CSL-JSON as programs really write them, and odd files
of each: what is taken, and what is left out and why. All papers are invented."""

import json
from typing import Any

import pytest

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.list_entries import ParsedBibliography
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper

ZOTERO = """TY  - CONF
TI  - Gates that weigh evidence
AU  - Bar, Ann
AU  - van der Foo, Bo
AU  - The Shelf Group
T2  - Proceedings of the Chain Conference
AB  - A gate weighs evidence
for drafts.
DA  - 2021/05/03/
PY  - 2021
DO  - 10.1234/gate
UR  - https://example.org/?a=1;b=2
Y2  - 2022/01/01/10:00:00
L1  - files/12/Bar - 2021 - Gates.pdf
KW  - gates
N1  - <p>mine</p>
ER  - 

TY  - UNPB
TI  - Shelves of forgotten claims
AU  - Foo, Bo
PY  - 2020
UR  - http://arxiv.org/abs/2001.01234
ER  - 

"""
ENDNOTE = """TY  - JOUR
AU  - Bar, Ann
AU  - King, Martin, Jr.
AN  - WOS:000123456700001
DA  - Jul
DO  - 10.1234/gate
IS  - 3
N2  - A gate weighs evidence.
PY  - 2021
SP  - 1-9
ST  - Gates that weigh
T2  - Journal of Chains
TI  - Gates that weigh evidence
UR  - <Go to ISI>://WOS:000123456700001
ID  - 12
ER  - 
"""
SCOPUS = """TY  - JOUR
TI  - Gates that weigh evidence
T2  - Journal of Chains
VL  - 12
PY  - 2021
DO  - 10.1234/gate
AU  - Bar, A.
AU  - Foo, B.
UR  - https://www.scopus.com/inward/record.uri?eid=2-s2.0-85000000000&doi=10.1234%2fgate&partnerID=40
AB  - A gate weighs evidence.
DB  - Scopus
N1  - Export Date: 28 November 2026; Cited By: 3
ER  - 
"""
PUBMED = """PMID- 31234567
OWN - NLM
DP  - 2021 May 3
TI  - Gates that weigh
      evidence.
LID - 10.1234/gate [doi]
AB  - A gate weighs
      evidence.
FAU - Bar, Ann
AU  - Bar A
FAU - Foo, Bo
AU  - Foo B
JT  - Journal of chains
AID - S0000-0000(21)00001-2 [pii]
AID - 10.1234/gate [doi]

PMID- 31234568
DP  - 2020
TI  - Shelves of forgotten claims.
AU  - Foo B
JT  - Journal of chains
"""
WEB_OF_SCIENCE = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Bar, A
   Foo, B
AF Bar, Ann
   Foo, Bo
TI Gates that weigh
   evidence
SO JOURNAL OF CHAINS
AB A gate weighs evidence.
CR Qux C, 2001, J CHAINS, V1, P1
   Qux D, 2002, J CHAINS, V2, P2
PD MAY
PY 2021
DI 10.1234/gate
PM 31234567
ER

PT J
AU Foo, B
TI Shelves of forgotten claims
PY 2020
ER

EF
"""
CSL = [
    {
        "id": "bar2021",
        "type": "paper-conference",
        "title": "Gates that weigh evidence",
        "author": [
            {"family": "Bar", "given": "Ann"},
            {"family": "Foo", "given": "Bo", "non-dropping-particle": "van der"},
            {"literal": "The Shelf Group"},
        ],
        "container-title": "Proceedings of the Chain Conference",
        "issued": {"date-parts": [["2021", 5, 3]]},
        "DOI": "10.1234/gate",
        "abstract": "A gate weighs evidence for drafts.",
    },
    {
        "id": 2,
        "type": "article",
        "title": "Shelves of forgotten claims",
        "author": [{"family": "Foo", "given": "Bo"}],
        "issued": {"date-parts": [[2020]]},
        "publisher": "arXiv",
        "number": "arXiv:2001.01234",
    },
]


def read(text: str, name: str = "a.ris") -> ParsedBibliography:
    return read_bibliography(text, name)


@pytest.mark.parametrize(
    ("name", "text", "first", "second"),
    [
        (
            "zotero.ris",
            ZOTERO,
            (
                "2021-05-03",
                ("Ann Bar", "Bo van der Foo", "The Shelf Group"),
                {"DOI": "10.1234/gate"},
            ),
            ("2020", ("Bo Foo",), {"arXiv": "2001.01234"}),
        ),
        (
            "endnote.txt",
            ENDNOTE,
            ("2021", ("Ann Bar", "Martin King Jr."), {"DOI": "10.1234/gate"}),
            None,
        ),
        ("scopus.ris", SCOPUS, ("2021", ("A. Bar", "B. Foo"), {"DOI": "10.1234/gate"}), None),
        (
            "pubmed.nbib",
            PUBMED,
            ("2021", ("Ann Bar", "Bo Foo"), {"DOI": "10.1234/gate", "PMID": "31234567"}),
            ("2020", ("Foo B",), {"PMID": "31234568"}),
        ),
        (
            "savedrecs.ciw",
            WEB_OF_SCIENCE,
            ("2021", ("Ann Bar", "Bo Foo"), {"DOI": "10.1234/gate", "PMID": "31234567"}),
            ("2020", ("B Foo",), {}),
        ),
        (
            "zotero.json",
            json.dumps(CSL),
            (
                "2021-05-03",
                ("Ann Bar", "Bo van der Foo", "The Shelf Group"),
                {"DOI": "10.1234/gate"},
            ),
            ("2020", ("Bo Foo",), {"arXiv": "2001.01234"}),
        ),
    ],
)
def test_each_programs_own_way(name: str, text: str, first: Any, second: Any) -> None:
    found = read(text, name)
    assert found.left_out == []

    def said(paper: Paper) -> Any:
        return paper.published, paper.authors, dict(paper.ids)

    assert [said(paper) for paper in found.papers] == [first, *[second] * (second is not None)]
    gates = found.papers[0]
    assert gates.title.rstrip(".") == "Gates that weigh evidence"
    assert (gates.abstract or "").startswith("A gate weighs evidence")
    assert "chain" in (gates.venue or "").lower()


def test_the_pdfs_that_zotero_exports_with_a_list_are_named() -> None:
    found = read(ZOTERO)
    assert found.files[found.papers[0].id] == ["files/12/Bar - 2021 - Gates.pdf"]


ONE = "TI  - A\nPY  - 2020\n"
ODD_TAGS = {
    "no end": (f"TY  - JOUR\n{ONE}TY  - JOUR\nTI  - B\n", ["A", "B"], []),
    "no type": (f"TY  - JOUR\n{ONE}ER  - \nTI  - B\nER  - \n", ["A", "B"], []),
    "no title": ("TY  - JOUR\nAU  - Bar, Ann\nER  - \n", [], ["AU - Bar, Ann: no title"]),
    "an empty title": ("TY  - JOUR\nTI  - \nPY  - 2020\nER  - \n", [], ["TI - / PY - 2020: no title"]),
    "a title of signs": ("TY  - JOUR\nTI  - ???\nER  - \n", [], ["TI - ???: no title"]),
    "numbers before the records": (f"1.\nTY  - JOUR\n{ONE}ER  - \n\n2.\nTY  - BOOK\nTI  - B\nER  - ", ["A", "B"], []),
    "a number in the line": (f"1. TY  - JOUR\n{ONE}ER  - \n", ["A"], []),
    "one blank": ("TY - JOUR\nTI - A\nER -\n", ["A"], []),
    "no blank": ("TY  -JOUR\nTI  - A\nER  -\n", ["A"], []),
    "blanks before": ("  TY  - JOUR\n  TI  - A\n  ER  - \n", ["A"], []),
    "Windows lines": (f"TY  - JOUR\r\n{ONE}ER  - \r\n".replace("\n", "\r\n"), ["A"], []),
    "old Macintosh lines": ("TY  - JOUR\rTI  - A\rER  - \r", ["A"], []),
    "a byte order mark": (f"\ufeffTY  - JOUR\n{ONE}ER  - \n", ["A"], []),
    "an empty record": ("TY  - JOUR\nER  - \nTY  - JOUR\nTI  - A\nER  - \n", ["A"], []),
    "tags that nobody knows": ("TY  - JOUR\nX9  - y\nmore of it\nTI  - A\nER  - \n", ["A"], []),
    "two titles": ("TY  - JOUR\nTI  - A\nTI  - B\nER  - \n", ["A"], []),
    "T1 in place of TI": ("TY  - JOUR\nT1  - A\nER  - \n", ["A"], []),
    "a title in lines": ("TY  - JOUR\nTI  - A\nand more\n  of it\nER  - \n", ["A and more of it"], []),
    "an abstract with a dash": ("TY  - JOUR\nTI  - A\nAB  - B\nAI-based gates\nER  - \n", ["A"], []),
    "markup and entities": ("TY  - JOUR\nTI  - A &amp; <i>B</i>\nER  - \n", ["A & B"], []),
    "a sequence of a terminal": ("TY  - JOUR\nTI  - A\x1b[31m b\nER  - \n", ["A b"], []),
    "a head of the database": (f"Provider: X\nDatabase: Y\nContent:text/plain\n\n\nTY  - JOUR\n{ONE}ER  - \n", ["A"], []),
    "text before and after": (f"TY  - JOUR\n{ONE}ER  - \nEnd of the list.\n", ["A"], []),
    "a year of four figures that is none": ("TY  - JOUR\nTI  - A\nPY  - 9999\nER  - \n", ["A"], []),
    "small tags": ("TY  - JOUR\nti  - b\nTI  - A\nER  - \n", ["A"], []),
    "PubMed without a title": ("PMID- 1\nDP  - 2020\n\nPMID- 2\nTI  - A\n", ["A"], ["DP - 2020: no title"]),
    "Web of Science without an end": ("PT J\nTI A\nPT J\nTI B\n", ["A", "B"], []),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD_TAGS)
def test_odd_files_of_tags(case: str) -> None:
    text, titles, left_out = ODD_TAGS[case]
    found = read(text)
    assert [paper.title for paper in found.papers] == titles
    assert found.left_out == left_out


def test_people_are_told_apart_and_the_others_are_no_name() -> None:
    (paper,) = read("TY  - JOUR\nTI  - A\nAU  - Bar, Ann; Foo, Bo\nAU  - et al.\nER  - \n").papers
    assert paper.authors == ("Ann Bar", "Bo Foo")


def test_a_doi_as_it_stands_in_an_address_is_the_same_doi() -> None:
    (paper,) = read(json.dumps([item(DOI="10.1234/AbC%28d%29%3ce%3E1")]), "a.json").papers
    assert paper.ids == {"DOI": "10.1234/abc(d)<e>1"}
    (other,) = read(json.dumps([item(DOI="10.1234/a%20b")]), "a.json").papers
    assert other.ids == {"DOI": "10.1234/a%20b"}, "no part of it is taken for the whole"


def item(**more: Any) -> dict[str, Any]:
    return {"id": "k", "title": "A", **more}


ODD_JSON: dict[str, tuple[Any, list[str], list[str]]] = {
    "one item": (item(), ["A"], []),
    "items of Zotero's API": ({"items": [item()]}, ["A"], []),
    "nothing": ([], [], []),
    "an empty object": ({}, [], ["item 1: no title"]),
    "a number": ([7], [], ["item 1: no title"]),
    "null": ([None, item()], ["A"], ["item 1: no title"]),
    "no title": ([item(title=None)], [], ["k: no title"]),
    "no id and no title": ([{"type": "book"}], [], ["item 1: no title"]),
    "a title in a list, as Crossref's": ([item(title=["A", "B"])], ["A"], []),
    "a title of another kind": ([item(title={"a": 1})], [], ["k: no title"]),
    "nulls everywhere": ([item(author=None, issued=None, DOI=None, URL=None, abstract=None)], ["A"], []),
    "authors that are texts": ([item(author=["Ann Bar"])], ["A"], []),
    "an author of nothing": ([item(author=[{}, None, {"family": None}])], ["A"], []),
    "a date in words": ([item(issued={"raw": "May 2020"})], ["A"], []),
    "a date as a text": ([item(issued="2020-05-01")], ["A"], []),
    "date parts of nothing": ([item(issued={"date-parts": [[None]]})], ["A"], []),
    "date parts without a list": ([item(issued={"date-parts": [2020]})], ["A"], []),
    "no date parts": ([item(issued={"date-parts": []})], ["A"], []),
    "a DOI as an address": ([item(DOI="https://doi.org/10.1234/X")], ["A"], []),
    "an id that is a number": ([item(id=7, title="")], [], ["7: no title"]),
    "an id that is a list": ([item(id=["x"], title="")], [], ["x: no title"]),
    "items that are none": ({"items": 3}, [], []),
    "a sequence of a terminal": ([item(title="A\x1b[31m b")], ["A b"], []),
    "a key twice": ([item(), item()], ["A", "A"], []),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD_JSON)
def test_odd_files_of_json(case: str) -> None:
    said, titles, left_out = ODD_JSON[case]
    found = read(json.dumps(said), "a.json")
    assert [paper.title for paper in found.papers] == titles
    assert found.left_out == left_out


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (json.dumps([{"title": "A", "issued": {"raw": "20200501"}}]), "a.json"),
        ("TY  - JOUR\nTI  - A\nDA  - 20200501\nER  - \n", "a.ris"),
        ("@misc{key, title={A}, date={20200501}}", "a.bib"),
    ],
)
def test_a_date_without_hyphens_is_a_date(text: str, name: str) -> None:
    (paper,) = read(text, name).papers
    assert (paper.year, paper.published) == (2020, "2020-05-01")


@pytest.mark.parametrize(
    "text", ['[{"title": "A"', "[NaN", "{", "[" * 100_000, "just words", "", "\x00\x01"]
)
def test_what_is_no_list_is_one_sentence(text: str) -> None:
    with pytest.raises(UsageError):
        read(text, "a.json")


@pytest.mark.parametrize("author", ["Ann Bar", ["Ann Bar"], [{"literal": "Ann Bar"}]])
def test_an_author_may_be_a_text(author: object) -> None:
    (paper,) = read(json.dumps([item(author=author)]), "a.json").papers
    assert paper.authors == ("Ann Bar",)


def test_identifiers_stand_in_notes_and_further_fields() -> None:
    note = "S2: 0123456789012345678901234567890123456789\nOpenAlex: W12\nsee DOI: 10.9/other"
    (paper,) = read(
        json.dumps([item(note=note, PMID=12, archive_location="arXiv:2001.01234")])
    ).papers
    assert paper.ids == {
        "S2": "0123456789012345678901234567890123456789",
        "OpenAlex": "W12",
        "PMID": "12",
        "arXiv": "2001.01234",
    }
