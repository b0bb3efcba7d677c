"""Citations in running text: which are found, what they mean, and that an invented one is told from
a true one."""

import pytest

from coi_tui.literature.citations import (
    CitedPapers,
    citations_in,
    with_id_marks,
    with_short_marks,
)
from coi_tui.model.papers import Paper
from coi_tui.present.bibliography import unverified_in
from tests.support.folding import empty_state

WEI = Paper(
    id="arXiv:2201.11903",
    title="Chain-of-Thought Prompting Elicits Reasoning",
    authors=("Jason Wei", "Xuezhi Wang"),
    year=2022,
)
TOOL = Paper(
    id="arXiv:2302.04761",
    title="Toolformer: Language Models Can Teach Themselves",
    authors=("Schick, Timo",),
    year=2023,
)
OORD = Paper(
    id="DOI:10.1000/cpc",
    title="Contrastive Predictive Coding",
    authors=("Aäron van den Oörd",),
    year=2018,
)
PAPERS = {p.id: p for p in (WEI, TOOL, OORD)}


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Wei et al. (2022) show it", ["Wei et al. (2022)"]),
        (
            "(Wei et al., 2022; Kojima and Reid, 2022)",
            ["Wei et al., 2022", "Kojima and Reid, 2022"],
        ),
        ("as Wei & Wang (2022a) do, and (Schick, 2023)", ["Wei & Wang (2022a)", "Schick, 2023"]),
        ("Wei et al.\u2019s 2022 paper", ["Wei et al.\u2019s 2022"]),
        ("arXiv:2201.11903v2 and 10.1000/cpc.", ["arXiv:2201.11903v2", "10.1000/cpc"]),
        ("Toolformer (2023)", ["Toolformer (2023)"]),
        (
            "In May (2023), at ICLR (2024), since 2020, Table 2021, GPT (2020), accuracy (2019), about 2,022 runs",
            [],
        ),
        ("The years 2019 and 2020; Version (2021)", []),
    ],
)
def test_what_is_a_citation(text: str, cited: list[str]) -> None:
    assert [citation.text for citation in citations_in(text)] == cited


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("Wei et al. (2022)", WEI),
        ("Wei and Wang (2021)", WEI),
        ("Wei and Zhou (2022)", None),
        ("Wei et al. (2019)", None),
        ("(Schick, 2023)", TOOL),
        ("Toolformer (2023)", TOOL),
        ("Toolformer (2019)", None),
        ("Toolformer et al. (2023)", None),
        ("van den Oord et al. (2018)", OORD),
        ("arXiv:2302.04761", TOOL),
        ("arXiv:2302.04762", None),
        ("10.1000/CPC", OORD),
    ],
)
def test_what_a_citation_means(text: str, paper: Paper | None) -> None:
    (citation,) = citations_in(text)
    assert CitedPapers(PAPERS).find(citation) == (paper.id if paper else None)


def test_a_title_with_quotation_marks_of_its_own_is_one_title() -> None:
    camel = Paper(
        id="arXiv:2303.17760",
        title='CAMEL: Agents for "Mind" Exploration of Model Societies',
        authors=("Guohao Li",),
        year=2023,
    )
    for quoted in (f"“{camel.title}”", f'"{camel.title}" (2023)'):
        text = f'Unlike {quoted}, we go beyond "Latent Sparse Retrieval Memory Planning" (2017).'
        state = empty_state()
        state.papers = {camel.id: camel}
        (named,) = unverified_in([text], state)
        assert named.startswith("“Latent Sparse Retrieval Memory Planning”")


def test_two_papers_of_one_author_and_year_keep_apart_in_the_editor() -> None:
    same = {
        name: Paper(id=name, title=name, authors=("Ann Foo",), year=2020)
        for name in ("S2:" + "a" * 40, "S2:" + "b" * 40)
    }
    one, two = same
    text = f"One [{one}], other [{two}]; not [this one]."
    shown = with_short_marks(text, same)
    assert "a" * 40 not in shown
    assert shown.count("Foo 2020") == 2
    assert with_id_marks(shown, same, text) == text
    alone = f"Only [{two}]."
    assert with_short_marks(alone, same) == "Only [Foo 2020]."
    assert with_id_marks("Only [Foo 2020].", same, alone) == alone
    assert with_id_marks("Only [Foo 2020].", same, "") == "Only [Foo 2020]."
