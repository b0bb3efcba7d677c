"""COI-1: all questions that were written are there to choose from, before anything is searched."""

from pathlib import Path

from coi_tui.methods.coi.tasks import by_difference
from coi_tui.model.document import Table
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, copy_of
from tests.support.script import HashModel

WRITTEN = [
    "language models that ask clarifying questions",
    "language models that ask clarifying questions of users",
    "abstention under uncertainty and selective prediction",
    "user simulators for dialogue evaluation",
    "cost of interruption in mixed-initiative interfaces",
]
OWN = "when a wrong guess costs more than a question"


def asked(folder: Path) -> Desk:
    """A session of two branches whose model wrote five questions, the second nearly the first."""
    desk = Desk.new(folder, SMALL, HashModel({"coi_questions": lambda _: {"questions": WRITTEN}}))
    assert desk.run("questions").state == "done"
    return desk


def rows(session: Session) -> dict[str, str]:
    """Each question of the list, with the cell that asks it."""
    table = session.listing("Q1")
    assert isinstance(table, Table)
    return {row.key: row.cells[1] for row in table.rows}


def test_the_order_begins_with_the_first_and_takes_each_time_what_differs_most() -> None:
    order = by_difference(WRITTEN)
    assert order[0] == WRITTEN[0]
    assert order[-1] == WRITTEN[1], "nearly the same as the first"
    assert sorted(order) == sorted(WRITTEN)


def test_all_that_was_written_are_rows_and_those_that_differ_are_asked(tmp_path: Path) -> None:
    desk = asked(tmp_path)
    assert desk.model.sent == ["coi_questions"]
    found = rows(desk.session)
    assert set(found) == set(WRITTEN)
    assert found[WRITTEN[0]] == "Q1"
    assert found[WRITTEN[1]] == "", "it says the same as Q1"
    assert sorted(found.values()) == ["", "", "", "Q1", "Q2"]


def test_a_question_more_is_a_branch_more_until_it_is_undone(tmp_path: Path) -> None:
    session = asked(tmp_path).session
    session.edits.change_row("Q1", WRITTEN[3], "tick")
    session.edits.change_row("Q1", OWN, "tick")
    found = rows(session)
    assert (found[WRITTEN[3]], found[OWN]) == ("Q3", "Q4")
    assert session.state.branches == [1, 2, 3, 4]
    assert session.state.value("Q4#text") == OWN
    session.undo()
    session.undo()
    assert session.state.branches == [1, 2]
    assert OWN not in rows(session)


def test_one_that_is_left_out_is_not_searched_and_its_branch_takes_another(tmp_path: Path) -> None:
    desk = asked(tmp_path)
    session = desk.session
    second = next(text for text, at in rows(session).items() if at == "Q2")
    session.edits.change_row("Q1", second, "tick")
    assert rows(session)[second] == ""
    assert desk.method.branches(session.state) == [1]
    assert session.edits.row_change("Q1", WRITTEN[0], "tick") is None, "one is always asked"
    session.edits.change_row("Q1", OWN, "tick")
    assert rows(session)[OWN] == "Q2"
    session.edits.change_row("Q1", OWN, "tick")
    assert OWN in rows(session), "what a person wrote stays to choose from"
    session.undo()
    desk.run("anchors")
    searched = [query for kind, query in desk.source.asked if kind == "search"]
    assert OWN in searched
    assert second not in searched


def test_a_session_from_before_reads_as_it_did(tmp_path: Path) -> None:
    """Its questions have no others beside them."""
    desk = copy_of(tmp_path, "small", "ideas")
    state = desk.state
    for cell in ("Q1", "Q2"):
        version = state.in_use(cell)
        assert version is not None
        old = {name: version.content[name] for name in ("text", "note")}
        state.versions[version.seq] = version.model_copy(update={"content": old})
    state.forget()
    found = rows(desk.session)
    assert list(found.values()) == ["Q1", "Q2"]
    assert desk.planner.to_stage("ideas").empty
