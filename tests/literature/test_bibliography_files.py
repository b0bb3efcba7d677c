from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.bibliography_files import LIBRARY_NAME, read_bibliography
from coi_tui.model.errors import UsageError

BIB = r"""
@comment{nothing here}
@string{jir = "Journal of Invented Results"}
% a remark
@article{bar2024,
  title = {{On the Growth} of Invented Chains: {\'E}tudes},
  author = {Bar, Ann and M{\"u}ller, Bo and Foo, {\O}le and others},
  journal = jir # { B},
  year = 2024, month = mar,
  doi = {https://doi.org/10.1234/ABC.5},
  abstract = "A {nested} abstract -- with \& signs.",
}
@inproceedings(paren2021, title="Bracketed entry", author="C. Baz", booktitle={Proc.}, year="2021",
  eprint={2104.00001}, archivePrefix={arXiv})
@misc{empty,}
@article{notitle, year=2020}
@book{last, title={A book without ids}, date={2019-07-03}, author={Qux, D.}
"""
RIS = """TY  - JOUR
TI  - A title that runs
  over two lines
AU  - Bar, Ann
AU  - Foo, Bo
PY  - 2022
DO  - 10.1234/xyz
JO  - Journal
AB  - An abstract.
ER  -
TY  - CONF
T1  - Second
Y1  - 2020/05/17
UR  - https://arxiv.org/abs/2005.00001v2
ER  -
"""
CSL = [
    {"id": "a", "title": "One", "DOI": "10.1/a", "issued": {"date-parts": [[2023, 4, 5]]}, "author": [{"given": "Ann", "family": "Bar"}]},
    {"id": "b", "title": "Two", "URL": "https://arxiv.org/abs/2301.00002", "issued": {"raw": "2023"}, "author": [{"literal": "A Group"}]},
    {"id": "c"}, "no object", {"title": "Three", "author": None, "issued": None, "container-title": ["list"]},
]  # fmt: skip


def test_bibtex() -> None:
    found = read_bibliography(BIB, "mine.bib")
    first, second, third = found.papers
    assert first.title == "On the Growth of Invented Chains: Études"
    assert first.authors == ("Ann Bar", "Bo Müller", "Øle Foo")
    assert (first.venue, first.year, first.published) == ("Journal of Invented Results B", 2024, "2024-03")
    assert first.id == "DOI:10.1234/abc.5"
    assert first.abstract == "A nested abstract – with & signs."
    assert first.source == LIBRARY_NAME
    assert (second.id, second.title, second.year) == ("arXiv:2104.00001", "Bracketed entry", 2021)
    assert third.title == "A book without ids"
    assert third.id.startswith("title:")
    assert third.published == "2019-07-03"
    assert found.left_out == ["notitle: no title"]


def test_ris() -> None:
    first, second = read_bibliography(RIS, "mine.RIS").papers
    assert (first.title, first.authors, first.year) == ("A title that runs over two lines", ("Ann Bar", "Bo Foo"), 2022)
    assert (first.id, first.venue, first.abstract) == ("DOI:10.1234/xyz", "Journal", "An abstract.")
    assert (second.id, second.published) == ("arXiv:2005.00001", "2020-05-17")


def test_csl_json() -> None:
    found = read_bibliography(json.dumps(CSL), "mine.json")
    assert [(p.title, p.year, p.authors) for p in found.papers] == [
        ("One", 2023, ("Ann Bar",)), ("Two", 2023, ("A Group",)), ("Three", None, ()),
    ]  # fmt: skip
    assert found.papers[0].published == "2023-04-05"
    assert found.papers[1].id == "arXiv:2301.00002"
    assert found.left_out == ["c: no title", "item 4: no title"]


def test_the_same_entry_gets_the_same_id_again() -> None:
    assert [p.id for p in read_bibliography(BIB, "a.bib").papers] == [p.id for p in read_bibliography(BIB, "b.bib").papers]


@pytest.mark.parametrize(("text", "name"), [("x", "notes.txt"), ("x", "noending"), ("{", "a.json")])
def test_what_is_no_list_is_refused_in_a_sentence(text: str, name: str) -> None:
    with pytest.raises(UsageError):
        read_bibliography(text, name)


@pytest.mark.parametrize(
    "write", [lambda t: (t, "a.bib"), lambda t: (t, "a.ris"), lambda t: (json.dumps([{"title": t, "DOI": t}]), "a.json")]
)
@given(text=st.text(alphabet=st.sampled_from("@article{}(),=\"\\'#-~ab1 \nTYER"), max_size=60))
def test_no_text_breaks_a_reader(write: Callable[[str], tuple[str, str]], text: str) -> None:
    for paper in read_bibliography(*write(text)).papers:
        assert paper.title.strip()
        assert "\n" not in paper.title
