"""A method with a component and a kind of its own: its rows, verdicts, freshness and undo work, and
nothing outside its own module names it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from coi_sketch.kinds import KINDS
from coi_sketch.method import SPEC, Sketch

from coi_tui.engine.declarations import CellKind, EditableField, OutlineRow, View
from coi_tui.methods import registry
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.plugin import (
    BranchedMethod,
    CellRef,
    Component,
    Held,
    State,
    Target,
    Verb,
    VerbArgs,
    cell_at,
)
from coi_tui.prompts import loader
from coi_tui.services.llm import offline
from coi_tui.session.decisions import verbs
from tests.support.desk import SMALL, Desk
from tests.support.script import HashModel


class Drawers(Component):
    """A drawer for one paper; ``file`` puts one in, a second one has no effect."""

    kinds = frozenset({"drawer"})

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.inside: dict[str, tuple[str, bool]] = {}

    def held(self, at: CellRef) -> Held:
        paper, accepted = self.inside.get(at, ("", False))
        if not paper:
            return Held("drawer", role="drawer")
        return Held("drawer", paper, "accepted" if accepted else "proposed", role="drawer")

    def papers(self) -> Mapping[CellRef, str]:
        return {cell_at("K1", "drawer"): paper for paper, _ in self.inside.values()}

    def value(self, at: CellRef, field: str) -> str | None:
        return self.inside.get(at, ("", False))[0] or None

    def recorded(self, at: CellRef, action: str) -> Mapping[str, str]:
        return {"paper": self.inside[at][0]}

    def file(self, d: Decision) -> str | None:
        if d.address in self.inside:
            return "the drawer is full"
        self.inside[d.address] = d.value["paper"], False
        return None

    def accept(self, d: Decision) -> None:
        self.inside[d.address] = d.value["paper"], True

    def reject(self, d: Decision) -> None:
        del self.inside[d.address]

    folds: ClassVar = {"file": file, "accept": accept, "reject": reject}


def may_file(t: Target) -> str:
    return "only a drawer takes papers" if t.at.kind != "drawer" else ""


def file_first(t: Target, _: VerbArgs) -> list[Decision]:
    return [t.entry("file", {"paper": next(iter(t.state.papers))})]


FILE = Verb("file", may_file, file_first, "file", "put a paper into this drawer", done="Filed.")


def is_open(state: State, at: CellRef) -> bool:
    """The rule of the kind: its label counts while something is in the drawer."""
    return bool(Drawers.of(state).inside)


class Cabinet(BranchedMethod):
    name, short = "Cabinet", "Cabinet"
    own_stages, tasks = Sketch.own_stages, Sketch.tasks
    own_kinds = (
        CellKind("drawer", "K1/drawer", "Drawer", shared=True, stage="search"),
        CellKind(
            "label",
            "K1/label",
            "Label",
            KINDS[0].content,
            fields=(EditableField("text"),),
            shared=True,
            is_active=is_open,
        ),
        *KINDS,
    )
    components = (Drawers,)
    verbs = (FILE, Verb("accept", effect=file_first))

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        yield OutlineRow("K1/drawer", 1)
        yield from super().outline(state, failed)

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        if Drawers.of(view.state).inside or not view.state.papers:
            return super().settle(view, until)
        value = {"paper": next(iter(view.state.papers))}
        return [Decision(actor="coi", action="file", address="K1/drawer", value=value)]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A session with the method, and a paper in its drawer."""
    monkeypatch.setattr(registry, "METHODS", dict(registry.METHODS))
    monkeypatch.setattr(loader, "ADDED", [])
    monkeypatch.setattr(offline, "DRAFTS", dict(offline.DRAFTS))
    spec = Cabinet.spec("K", SPEC.settings, section="sketch", prompts=SPEC.prompts)
    registry.register(replace(spec, package="cabinet 1"))
    monkeypatch.setattr(verbs, "VERBS", verbs.with_packages(registry.METHODS.values()))
    desk = Desk.new(tmp_path, SMALL, HashModel())
    desk.run("anchors")
    assert desk.session.add_method("cabinet") == "K1"
    paper = next(iter(desk.state.papers))
    filed = Decision(actor="coi", action="file", address="K1/drawer", value={"paper": paper})
    desk.session.write([filed])
    with pytest.raises(UsageError, match="the drawer is full"):
        desk.session.write([filed])
    return desk


def row(desk: Desk) -> tuple[object, ...]:
    found = next(one for one in desk.session.rows() if one.address == "K1/drawer")
    return found.title, found.verdict.name, found.made


def test_what_it_holds_has_a_row_and_is_decided_with_the_verbs_that_there_are(desk: Desk) -> None:
    session = desk.session
    title = next(iter(session.state.papers.values())).title
    assert row(desk) == (title, "UNDECIDED", True)
    session.decide("accept", "K1/drawer")
    assert row(desk) == (title, "ACCEPTED", True)
    with pytest.raises(UsageError):
        session.decide("accept", "K1/drawer")
    session.decide("reject", "K1/drawer")
    assert row(desk) == ("(empty)", "EMPTY", False)
    session.undo()
    session.undo()
    assert row(desk) == (title, "UNDECIDED", True)
    assert session.verify() == []
    assert row(desk.reopen()) == (title, "UNDECIDED", True)


def test_it_has_a_verb_of_its_own_and_takes_none_of_ours(desk: Desk) -> None:
    session = desk.session
    session.decide("reject", "K1/drawer")
    assert session.refusals("1/idea")["file"] == "only a drawer takes papers"
    with pytest.raises(UsageError, match="only a drawer takes papers"):
        session.decide("file", "1/idea")
    session.decide("file", "K1/drawer")
    assert row(desk)[1] == "UNDECIDED"
    session.decide("accept", "K1/drawer")
    assert row(desk)[1] == "ACCEPTED"


def test_a_package_takes_no_key(desk: Desk) -> None:
    keyed = replace(Cabinet.spec("K"), verbs=lambda: (replace(FILE, key="a"),))
    assert "has a key for file" in registry.misdeclared(keyed)


def test_its_kind_has_a_rule_of_its_own(desk: Desk) -> None:
    desk.edits.save("K1/label", "Boxes")
    assert "K1/label" in desk.session.fresh
    desk.session.decide("reject", "K1/drawer")
    assert "K1/label" not in desk.session.fresh
