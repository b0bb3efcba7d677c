"""Sources in an order of preference: who is asked when, why the first gave nothing, and that no two
lists are mixed."""

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.services.sources.source_fallback import SourcesInOrder

from .helpers import TODAY, Shelf, paper

AWAY = ("unreachable", "limited", "server", "offline")
FAULTS = ("refused", "bad_request", "not_found", "broken")


def lost(kind: str, service: str = "Semantic Scholar") -> ServiceError:
    return ServiceError(service, kind, f"{service}: it did not work.", "Try again later.")


ONE, TWO, THREE = (
    paper(f"arXiv:2401.0000{n}", f"Invented paper {n}", abstract=f"Abstract {n}.", year=2020 + n)
    for n in (1, 2, 3)
)


async def test_an_empty_answer_goes_on_to_the_next_which_is_named_with_the_reason() -> None:
    both = [Shelf("Semantic Scholar"), Shelf("OpenAlex", ONE)]
    found = await SourcesInOrder(both).search("words", 5)
    assert (found.source, found.papers) == ("OpenAlex", (ONE,))
    assert found.note.startswith("Semantic Scholar: ")


@pytest.mark.parametrize("kind", AWAY)
async def test_a_source_that_is_away_is_stood_in_for(kind: str) -> None:
    first, second = (
        Shelf("Semantic Scholar", error=lost(kind)),
        Shelf("OpenAlex", ONE, kind="abstract"),
    )
    source = SourcesInOrder([first, second])
    found = await source.search("words", 5)
    assert (found.source, found.papers) == ("OpenAlex", (ONE,))
    assert found.note.startswith("Semantic Scholar ")
    assert "from OpenAlex" in found.note
    assert await source.match(ONE.title, None) == ONE
    assert await source.papers([ONE.id]) == [ONE]
    listed = await source.citations(THREE, 5)
    assert (listed.source, listed.papers) == ("OpenAlex", (ONE,))
    assert (await source.text(ONE)).kind == "abstract"


@pytest.mark.parametrize("kind", FAULTS)
async def test_a_wrong_key_or_request_is_told_and_hides_behind_no_other_source(kind: str) -> None:
    second = Shelf("OpenAlex", ONE, kind="abstract")
    source = SourcesInOrder([Shelf("Semantic Scholar", error=lost(kind)), second])
    for ask in (
        source.search("words", 5),
        source.match("x", None),
        source.papers([ONE.id]),
        source.citations(ONE, 5),
        source.text(ONE),
    ):
        with pytest.raises(ServiceError) as error:
            await ask
        assert (error.value.kind, error.value.service) == (kind, "Semantic Scholar")
    assert second.asked == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_nothing_found_while_one_was_away_is_a_failure_and_no_empty_answer(
    order: tuple[int, int],
) -> None:
    both = [Shelf("Semantic Scholar", error=lost("unreachable")), Shelf("OpenAlex")]
    source = SourcesInOrder([both[n] for n in order])
    for ask in (
        source.search("words", 5),
        source.match("x", None),
        source.papers([ONE.id]),
        source.citations(ONE, 5),
        source.text(ONE),
    ):
        with pytest.raises(ServiceError) as error:
            await ask
        assert (error.value.kind, error.value.service) == ("unreachable", "Semantic Scholar")
        assert "Semantic Scholar could not be reached" in error.value.message


async def test_nothing_found_by_all_names_them_all() -> None:
    found = await SourcesInOrder([Shelf("Semantic Scholar"), Shelf("OpenAlex")]).search("words", 5)
    assert (found.papers, found.asked_at) == ((), TODAY)
    assert (found.source, found.note.count(";")) == ("Semantic Scholar, then OpenAlex", 1)


async def test_a_withheld_list_is_asked_of_the_next_and_stays_withheld_where_nobody_has_it() -> (
    None
):
    withheld = Shelf("Semantic Scholar", withheld=True)
    listed = await SourcesInOrder([withheld, Shelf("OpenAlex", TWO)]).citations(ONE, 5)
    assert (listed.papers, listed.source, listed.withheld) == ((TWO,), "OpenAlex", False)
    assert "keeps this list back" in listed.note
    none = await SourcesInOrder([withheld, Shelf("OpenAlex")]).citations(ONE, 5)
    assert (none.papers, none.withheld, none.source) == ((), True, "")
    assert (
        none.note
        == "Semantic Scholar: the publisher keeps this list back (asked to); OpenAlex: the list is empty"
    )


async def test_unknown_papers_and_missing_abstracts_come_from_the_next_by_an_id_that_it_understands() -> (
    None
):
    bare = paper(
        "S2:" + "a" * 40, "Invented paper 2", ids={"S2": "a" * 40, "DOI": "10.1/x"}, venue="ACL"
    )
    full = paper(
        "OpenAlex:W2",
        "Invented paper 2",
        ids={"OpenAlex": "W2", "DOI": "10.1/x"},
        abstract="Abstract 2.",
        venue="arXiv",
    )
    first, second = Shelf("Semantic Scholar", ONE, bare), Shelf("OpenAlex", full, THREE)
    held = await SourcesInOrder([first, second]).papers([ONE.id, bare.id, THREE.id])
    assert second.asked == [["DOI:10.1/x", THREE.id]]
    assert [p.id for p in held if p] == [ONE.id, bare.id, THREE.id]
    assert held[1] is not None
    assert (held[1].abstract, held[1].venue, held[1].ids["OpenAlex"]) == (
        "Abstract 2.",
        "ACL",
        "W2",
    )


async def test_the_best_text_is_taken_and_all_that_was_tried_is_told() -> None:
    source = SourcesInOrder(
        [Shelf("Semantic Scholar", kind="summary"), Shelf("OpenAlex", kind="abstract")]
    )
    text = await source.text(ONE)
    assert (text.kind, text.text, text.note) == (
        "abstract",
        "OpenAlex",
        "summary of Semantic Scholar; abstract of OpenAlex",
    )


async def test_asked_from_a_day_on_each_of_them_is() -> None:
    services = [Shelf("Semantic Scholar"), Shelf("OpenAlex")]
    found = SourcesInOrder(services).published_since("2025-11-01")
    assert [one.since for one in found._services] == ["2025-11-01"] * 2
    assert [one.since for one in services] == ["", ""]
