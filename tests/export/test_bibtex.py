"""BibTeX: each paper once under a key of its own, and no title or name comes to harm."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.title_match import normalise_title, show_title
from coi_tui.model.papers import Paper
from coi_tui.present.bibliography import Bibliography, TitleIndex, address_of, citation_keys
from coi_tui.present.formats.bib import bibtex, entry, escape_tex
from coi_tui.present.formats.md import markdown
from coi_tui.present.snapshot import WITH_APPENDIX, ProposalOptions

from .building import COT, PAPERS, TREE, full, paper

AWKWARD = (
    "50% of R&D: #1 in C_n, x^2 ~ {y} costs $5",
    r"The \alpha{}-rule, `code` and *stars* [sic]",
    "Zażółć gęślą jaźń: 链 of naïve Ⅻ 🜚",
    'Say "no" to it\'s - dashes',
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


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE)


def entries(papers: list[Paper]) -> str:
    named = citation_keys(papers)
    return "\n".join(entry(named[one.id], one) for one in papers)


def test_every_paper_is_an_entry_with_a_key_of_its_own_in_ascii() -> None:
    assert len(keys(bibtex(full().subject(), WITH_APPENDIX))) == len(PAPERS)
    many = [paper(f"2201.{n:05d}", "The Chain", 2022, "Zoë Müller-Łęcki") for n in range(30)]
    found = keys(entries([*many, paper("2201.99999", "链", None)]))
    assert len(found) == len(set(found)) == 31
    assert all(re.fullmatch(r"[a-z0-9]+", key) for key in found)
    assert "mullerecki2022chain" in found


def test_it_holds_what_the_text_cites_under_the_keys_that_pandoc_reads_there() -> None:
    """It held 37 papers where the text cited 7."""
    b = full()
    said = "Wei et al. (2022) begin it; “Tree of Thoughts” and “Graph of Thoughts: Solving Elaborate Problems” follow."
    b.text("1/proposal", {"title": "Gates", "text": f"## In short\n\n{said}"})
    subject = b.subject()
    cited = {"wei2022chain", "yao2023tree", "besta2023graph"}
    assert set(keys(bibtex(subject))) == cited
    text = markdown(subject, ProposalOptions(citations="pandoc"))
    assert re.findall(r"\[@(\w+)\]", text) == ["wei2022chain", "yao2023tree", "besta2023graph"]
    assert text.count("{#refs}") == 1
    assert "ref-" not in text.replace("{#refs}", "")
    whole = markdown(subject, ProposalOptions(appendix=True, citations="pandoc"))
    assert set(re.findall(r"\[@(\w+)\]", whole)) == set(keys(bibtex(subject, WITH_APPENDIX)))
    assert whole.count("{#refs}") == 1
    assert "[@" not in markdown(subject)


def test_a_key_stays_when_other_papers_come() -> None:
    one = paper("2201.1", "The Chain of Things", 2022, "Zoë Wei")
    many = [paper(f"2201.{n}", f"Another {n}", 2022, "Zoë Wei") for n in range(2, 9)]
    alone, among = (Bibliography({p.id: p for p in ps}) for ps in ([one], [one, *many]))
    assert alone.key(one.id) == among.key(one.id)
    assert len({among.key(p.id) for p in (one, *many)}) == len(many) + 1
    assert among.key("arXiv:unknown") == ""


def test_titles_names_and_identifiers_survive() -> None:
    """Read again by the program's own reader of such files."""
    ids = [f"2201.{n:05d}" for n in range(len(AWKWARD))]
    papers = [
        paper(i, title, 2022, *NAMES, ids={"arXiv": i, "DOI": f"10.1000/{i}"})
        for i, title in zip(ids, AWKWARD, strict=True)
    ]
    read = read_bibliography(entries(papers), "a.bib")
    assert read.left_out == []
    assert [p.title for p in read.papers] == [show_title(title) for title in AWKWARD]
    assert [p.ids.get("DOI") for p in read.papers] == [f"10.1000/{i}" for i in ids]
    assert [p.ids.get("arXiv") for p in read.papers] == ids
    assert {p.year for p in read.papers} == {2022}
    assert all(p.authors[0] == NAMES[0] and len(p.authors) == len(NAMES) for p in read.papers)


@pytest.mark.parametrize(
    ("venue", "kind"),
    [
        ("Journal of Machine Learning Research", "article"),
        ("Proceedings of the ACL", "inproceedings"),
        ("arXiv.org", "misc"),
        (None, "misc"),
    ],
)
def test_the_kind_of_a_paper(venue: str | None, kind: str) -> None:
    assert entry("k", paper("1", "T", 2022, venue=venue)).startswith(f"@{kind}{{k,")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Maarten van der Berg", "Maarten van der Berg"),
        ("Garcia Lopez, Ana", "Garcia Lopez, Ana"),
        ("Gates and Chains Team", "{Gates and Chains Team}"),
    ],
)
def test_a_name_as_bibtex_reads_it(name: str, written: str) -> None:
    assert f"author = {{{written}}}" in entry("k", paper("1", "T", 2022, name))


@given(st.text(alphabet=st.sampled_from(list("ab %&_#${}~^\\`-")), max_size=30))
def test_tex_is_escaped_and_braces_are_balanced(text: str) -> None:
    names = "textbackslash|textasciitilde|textasciicircum|textbraceleft|textbraceright|`"
    bare = re.sub(rf"\\({names})\{{\}}|\\[%&_#$]", "", escape_tex(text))
    assert not set(bare) & set("%&_#${}~^\\`")


def test_two_papers_of_one_title_and_year_are_two_references() -> None:
    """Many are called "Introduction"."""
    one, other = (
        paper(f"title:{n}", "Introduction", 2020, name, ids={})
        for n, name in enumerate(("Ann Foo", "Bo Bar"))
    )
    both = Bibliography({p.id: p for p in (one, other)})
    assert [both.number(p.id) for p in (one, other)] == [1, 2]
    same = one.model_copy(update={"id": "title:x", "authors": ("Foo, A.",)})
    twin = other.model_copy(update={"id": "S2:y", "title": "Another", "ids": {"arXiv": "1"}})
    known = other.model_copy(update={"ids": {"arXiv": "1"}})
    alike = Bibliography({p.id: p for p in (one, same, twin, known)})
    assert sorted(alike.number(i) for i in alike.papers) == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("ids", "address"),
    [
        ({"DOI": "10.1000/a(b)<c>d"}, "https://doi.org/10.1000/a%28b%29%3Cc%3Ed"),
        ({"DOI": "10.1000/../../x"}, ""),
        ({}, ""),
    ],
)
def test_addresses_come_from_identifiers_only(ids: dict[str, str], address: str) -> None:
    one = paper("", "T", 2020, ids=ids, url="javascript:alert(1)")
    assert address_of(one.model_copy(update={"id": "title:t"})) == address
    assert address_of(COT) == "https://arxiv.org/abs/2201.11903"


def test_titles_are_matched_by_likeness_and_numbers() -> None:
    index = TitleIndex({p.id: p for p in (COT, TREE, paper("1", "Language Models: GPT-3", 2020))})
    assert index.find("Chain of thought prompting elicits reasoning!") == COT.id
    assert index.find("Chain-of-Thoughts Prompting Elicit Reasoning") == COT.id
    assert index.find("Language Models: GPT-4") is None
    assert index.find("Forest of Thoughts") is None
    assert index.find("") is None
    quiet = frozenset({normalise_title("Reasoning of large models")})
    text = "On “Reasoning of large models” and “Tree of Thoughts”."
    assert index.named_in(text, quiet) == ["Tree of Thoughts"]
