"""Numbers that may be missing: where a rank, a match or a year is not known, its place says so and the
screen stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import coi_tui
from coi_tui.methods.chain.chains import Chains
from coi_tui.present.candidate_list import about, candidates
from coi_tui.screens.paper_screens import CandidatesScreen
from coi_tui.screens.workbench import WorkbenchScreen
from tests.support.desk import copy_of

from .helpers import demo

ROOT = Path(coi_tui.__file__).parent
FOLDERS = ("present", "screens", "widgets")
SURE = {"spent.tokens"}
"""Of the same name as one that may be missing, and always a number."""


async def test_a_pinned_paper_that_no_search_found_stands_in_the_list(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        listed = {one.paper for one in candidates(session.state, "1/0").entries}
        own = next(p for p in session.state.papers.values() if p.id not in listed and p.abstract)
        session.decide("pin", "1/0", paper=own)
        t.bench.refresh_rows()
        screen = await t.to(CandidatesScreen, "c", at="1/0")
        for entry in screen.items:
            screen.lines.highlighted = screen.items.index(entry)
            await t.until(lambda: screen.about_pane.key == entry.paper, entry.title)  # noqa: B023
        assert own.id in [entry.paper for entry in screen.items]
        await t.to(WorkbenchScreen, "escape")


def test_what_is_known_of_each_paper_of_a_list_can_be_shown(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small", "ideas").session
    anchor = Chains.of(session.state).slot("1/0").paper
    session.decide("choose", "1/0", candidates(session.state, "1/0").entries[-1].paper)
    session.decide("reject", "1/0", reason="too old")
    listed = {one.paper for one in candidates(session.state, "1/0").entries}
    unlisted = next(p for p in session.state.papers.values() if p.id not in listed)
    session.decide("pin", "1/0", paper=unlisted)
    found = candidates(session.state, "1/0").entries
    assert {anchor, unlisted.id} <= {one.paper for one in found}
    assert any(one.match is None for one in found)
    assert all(about(session.state, one) for one in found)


# -- the kind: a format of a number that may be missing


def _may_be_missing() -> set[str]:
    """The fields of the program that are a number or None, by name."""
    return {
        line.target.id
        for file in ROOT.rglob("*.py")
        for line in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and {"int", "float"} & set(ast.unparse(line.annotation).split(" | "))
        and "None" in ast.unparse(line.annotation).split(" | ")
    }


def _unguarded(tree: ast.AST, optional: set[str], guards: frozenset[str]) -> Iterator[str]:
    """Formats of such a field outside everything that first asks whether it is there."""
    if isinstance(tree, ast.FormattedValue) and tree.format_spec is not None:
        value = tree.value
        name = ast.unparse(value)
        form = ast.unparse(tree.format_spec)
        numeric = any(sign in form for sign in ",.+%")
        known = name in SURE or any(name in guard for guard in guards)
        if numeric and isinstance(value, ast.Attribute) and value.attr in optional and not known:
            yield f"{name}:{form} in line {tree.lineno}"
    if isinstance(tree, ast.IfExp):
        yield from _unguarded(tree.test, optional, guards)
        yield from _unguarded(tree.body, optional, guards | {ast.unparse(tree.test)})
        yield from _unguarded(tree.orelse, optional, guards | {ast.unparse(tree.test)})
        return
    if isinstance(tree, ast.If):
        inside = guards | {ast.unparse(tree.test)}
        for part in (*tree.body, *tree.orelse):
            yield from _unguarded(part, optional, inside)
        return
    if isinstance(tree, ast.GeneratorExp | ast.ListComp):
        asked = [ast.unparse(one) for loop in tree.generators for one in loop.ifs]
        guards |= set(asked)
    if isinstance(tree, ast.FunctionDef):  # one that leaves early where it is not there
        guards |= {
            ast.unparse(one.test)
            for one in tree.body
            if isinstance(one, ast.If) and isinstance(one.body[-1], ast.Return)
        }
    for child in ast.iter_child_nodes(tree):
        yield from _unguarded(child, optional, guards)


def test_no_number_that_may_be_missing_is_formatted_before_it_was_asked_for() -> None:
    optional = _may_be_missing()
    assert {"match", "rank", "count"} <= optional
    found = [
        f"{file.relative_to(ROOT)}: {one}"
        for folder in FOLDERS
        for file in sorted((ROOT / folder).rglob("*.py"))
        for one in _unguarded(ast.parse(file.read_text(encoding="utf-8")), optional, frozenset())
    ]
    assert not found
