import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.engine.freshness import Freshness, FreshnessEvaluator, Read, meanings_now
from coi_tui.engine.journal import Journal
from coi_tui.engine.scheduler import Goal
from coi_tui.model.entries import Decision
from tests.support.toy import Job, Toy, edited, journal_of

DIR, IDEA, NOV = "1/dir", "1/idea", "1/nov"
LINE = {DIR: ["topic"], IDEA: [DIR], NOV: [IDEA]}


def made(toy: Toy, topic: str = "a") -> Journal:
    """A journal in which every cell of the toy has been made."""
    journal = journal_of()
    edited(journal, "topic", topic)
    outcome = asyncio.run(Job(toy, journal).run())
    assert outcome.state == "done"
    return journal


def look(toy: Toy, journal: Journal, address: str) -> Freshness:
    return FreshnessEvaluator(journal.state, toy.task)(address)


def statuses(toy: Toy, journal: Journal) -> dict[str, str]:
    examine = FreshnessEvaluator(journal.state, toy.task)
    return {a: examine(a).status for a in toy.reads}


def refresh(toy: Toy, journal: Journal, *addresses: str) -> None:
    asyncio.run(Job(toy, journal, Goal("refresh", addresses=addresses or tuple(toy.reads))).run())


def undo(journal: Journal, group: str) -> None:
    journal.write([Decision(actor="you", action="undo", address="topic", undoes=group)])


def test_missing_then_fresh_then_stale_and_upstream() -> None:
    toy = Toy(LINE)
    empty = journal_of()
    edited(empty, "topic", "a")
    assert statuses(toy, empty) == {DIR: "missing", IDEA: "missing", NOV: "missing"}
    journal = made(toy)
    assert statuses(toy, journal) == {DIR: "fresh", IDEA: "fresh", NOV: "fresh"}
    edited(journal, "topic", "b")
    assert statuses(toy, journal) == {DIR: "stale", IDEA: "upstream", NOV: "upstream"}
    assert look(toy, journal, DIR).changed == ("topic#text",)
    assert look(toy, journal, NOV).upstream == (IDEA,)


def test_an_added_input_makes_stale() -> None:
    journal = made(Toy(LINE))
    wider = Toy({**LINE, IDEA: [DIR, "topic"]})
    assert statuses(wider, journal) == {DIR: "fresh", IDEA: "stale", NOV: "upstream"}
    assert look(wider, journal, IDEA).changed == ("topic#text",)


def test_a_parent_read_is_no_input() -> None:
    toy = Toy({DIR: ["topic"], "1/review": [Read("plan", f"{DIR}#text", parent=True)]})
    journal = made(toy)
    edited(journal, DIR, "mine")
    assert look(toy, journal, "1/review").status == "fresh"
    assert journal.state.versions[journal.state.cell("1/review").versions[0]].inputs == {}


def test_kept_counts_as_fresh_for_readers_until_an_input_changes_again() -> None:
    toy = Toy(LINE)
    journal = made(toy)
    edited(journal, "topic", "b")
    now = meanings_now(journal.state, toy.reads[DIR])
    journal.write([Decision(actor="you", action="keep", address=DIR, value={"inputs": now})])
    assert statuses(toy, journal) == {DIR: "kept", IDEA: "fresh", NOV: "fresh"}
    edited(journal, "topic", "c")
    assert statuses(toy, journal) == {DIR: "stale", IDEA: "upstream", NOV: "upstream"}
    edited(journal, "topic", "b")  # what it was kept for is back
    assert look(toy, journal, DIR).status == "kept"


def test_a_refresh_that_says_the_same_makes_dependants_fresh_without_a_call() -> None:
    async def constant(*_: object) -> dict[str, str]:
        return {"text": "always this"}

    toy = Toy(LINE, {DIR: constant})
    journal = made(toy)
    edited(journal, "topic", "b")
    toy.toy.runs.clear()
    refresh(toy, journal)
    assert toy.toy.runs == [DIR]
    assert statuses(toy, journal) == {DIR: "fresh", IDEA: "fresh", NOV: "fresh"}


def test_choice_waits_while_an_alternative_from_the_current_inputs_stands_beside_a_persons_text() -> (
    None
):
    toy = Toy(LINE)
    journal = made(toy)
    edited(journal, DIR, "mine", meanings_now(journal.state, toy.reads[DIR]))
    edited(journal, "topic", "b")
    assert (look(toy, journal, DIR).status, look(toy, journal, DIR).choice_waits) == (
        "stale",
        False,
    )
    refresh(toy, journal, DIR)
    found = look(toy, journal, DIR)
    assert (found.status, found.choice_waits) == ("stale", True)
    assert journal.state.value(f"{DIR}#text") == "mine"
    toy.toy.runs.clear()
    refresh(toy, journal)
    assert DIR not in toy.toy.runs
    newest = journal.state.cell(DIR).versions[-1]
    journal.write([Decision(actor="you", action="adopt", address=DIR, value={"version": newest})])
    assert look(toy, journal, DIR).status == "fresh"


ops = st.lists(
    st.tuples(
        st.sampled_from(["edit topic", "edit dir", "refresh", "undo", "adopt"]),
        st.sampled_from("abc"),
    ),
    max_size=10,
)
NET = {DIR: ["topic"], IDEA: [DIR, "topic"], NOV: [IDEA], "1/exp": [IDEA, DIR]}


@settings(max_examples=60)
@given(ops=ops)
def test_fresh_is_exactly_what_comes_out_the_same_when_everything_is_made_again(
    ops: list[tuple[str, str]],
) -> None:
    toy = Toy(NET)
    journal = made(toy)
    for op, arg in ops:
        act(toy, journal, op, arg)
    examine = FreshnessEvaluator(journal.state, toy.task)
    before = {a: (examine(a), journal.state.value(f"{a}#text")) for a in NET}
    locked = {a for a in NET if journal.state.cell(a).lock is not None}
    refresh(toy, journal)
    unsettled = {a for a in locked if not look(toy, journal, a).ok}
    for address, (fresh, text) in before.items():
        if address in locked or unsettled & ancestors(address):
            # a person's text is not made again; what stands below a waiting choice waits with it
            continue
        assert (fresh.status == "fresh") == (journal.state.value(f"{address}#text") == text), (
            address,
            fresh,
        )


def ancestors(address: str) -> set[str]:
    above = set(NET.get(address, ()))
    return above.union(*(ancestors(a) for a in above)) if above else above


def act(toy: Toy, journal: Journal, op: str, arg: str) -> None:
    from coi_tui.model.fold import undo_stacks

    if op.startswith("edit"):
        address = "topic" if op == "edit topic" else DIR
        edited(journal, address, arg, meanings_now(journal.state, toy.reads.get(address, [])))
    elif op == "refresh":
        refresh(toy, journal)
    elif op == "adopt":
        newest = journal.state.cell(DIR).versions[-1]
        journal.write(
            [Decision(actor="you", action="adopt", address=DIR, value={"version": newest})]
        )
    elif op == "undo" and len(done := undo_stacks(journal.entries)[0]) > 1:  # never the first topic
        undo(journal, done[-1])
