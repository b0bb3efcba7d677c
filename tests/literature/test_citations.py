"""Citations in running text: which are found, what they mean, and that an invented one is told from
a true one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from coi_tui.export.titles import unverified_in
from coi_tui.literature.citations import CitedPapers, citations_in
from coi_tui.literature.starter.index import bundled
from coi_tui.literature.title_match import surname
from coi_tui.model.papers import Paper

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


def test_surnames() -> None:
    assert [surname(name) for name in ("Jason Wei", "Wei, Jason", "Plato", "")] == [
        "wei",
        "wei",
        "plato",
        "",
    ]


def test_a_title_with_quotation_marks_of_its_own_is_one_title() -> None:
    camel = Paper(
        id="arXiv:2303.17760",
        title='CAMEL: Agents for "Mind" Exploration of Model Societies',
        authors=("Guohao Li",),
        year=2023,
    )
    for quoted in (f"“{camel.title}”", f'"{camel.title}" (2023)'):
        text = f'Unlike {quoted}, we go beyond "Latent Sparse Retrieval Memory Planning" (2017).'
        assert unverified_in([text], {camel.id: camel}) == [
            "“Latent Sparse Retrieval Memory Planning”"
        ]


Form = Callable[[Paper], str]
FORMS: tuple[Form, ...] = (
    lambda p: f"“{p.title}”",
    lambda p: f'"{p.title}" ({p.year})',
    lambda p: f"{_last(p)} et al. ({p.year})",
    lambda p: f"earlier work ({_last(p)} et al., {p.year})",
    lambda p: p.id if p.id.startswith("arXiv:") else f"{_last(p)} et al., {p.year}",
)
FILLERS = (
    "The method builds on {}, which leaves long inputs open.",
    "As {} found in 2 of 5 tasks, the effect fades with size.",
    "We go beyond {} by testing the mechanism apart from the data.",
    "Unlike {}, no labels are needed in the first stage.",
)
STRANGERS = ("Quandry", "Velmont", "Hartigan", "Oswick", "Pellworth", "Zandvoort")


def _last(paper: Paper) -> str:
    name = paper.authors[0]
    return name.split(",")[0] if "," in name else name.split()[-1]


def _invented(dice: random.Random) -> Paper:
    """A work that does not exist: its words are real, its authors and number are not."""
    words = dice.sample(
        [
            "Sparse",
            "Adaptive",
            "Retrieval",
            "Curricula",
            "Latent",
            "Gradient",
            "Memory",
            "Planning",
            "Prompt",
            "Routing",
        ],
        5,
    )
    number = f"{dice.randint(10, 24)}{dice.randint(1, 12):02}.{dice.randint(90_000, 99_999)}"
    return Paper(
        id=f"arXiv:{number}",
        title=" ".join(words),
        authors=(f"A. {dice.choice(STRANGERS)}",),
        year=dice.randint(2010, 2025),
    )


def _shown(form: Form, paper: Paper) -> str:
    """How an unverified one is told: a title in curly quotation marks, else the citation as it
    stands."""
    said = form(paper)
    if paper.title in said:
        return f"“{paper.title}”"
    return (
        said.removeprefix("earlier work (").removesuffix(")")
        if said.startswith("earlier")
        else said
    )


@pytest.mark.parametrize("seed", range(100))
def test_every_invented_citation_of_an_idea_is_marked_and_no_true_one(seed: int) -> None:
    """A hundred ideas, each with one to three invented citations among true ones, in five forms."""
    dice = random.Random(seed)
    library = [
        p
        for p in bundled()[0].papers.values()
        if p.authors and p.year and _last(p).istitle() and _last(p).isalpha()
    ]
    own = dice.sample(library, 12)
    true = [(dice.choice(FORMS), paper) for paper in dice.sample(own, 4)]
    false = [(dice.choice(FORMS), _invented(dice)) for _ in range(dice.randint(1, 3))]
    mixed = [*true, *false]
    dice.shuffle(mixed)
    text = " ".join(dice.choice(FILLERS).format(form(paper)) for form, paper in mixed)
    assert sorted(unverified_in([text], {p.id: p for p in own})) == sorted(
        {_shown(form, paper) for form, paper in false}
    )
