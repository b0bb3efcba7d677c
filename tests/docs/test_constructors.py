"""References to cells are made by their constructors and read by their attributes; what a chain is
made of is known to its own modules alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

from coi_tui.model.address import cell_ref
from coi_tui.model.errors import UsageError

PACKAGE = Path(__file__).parents[2] / "coi_tui"
PATHS_OF_SERVICES = ("services/", "session/papers/zotero_import.py", "session/suite/from_papers.py")
OF_CHAINS = {"slot", "card", "cands", "rel", "trend", "Q"}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        yield file.relative_to(PACKAGE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def is_address(text: ast.JoinedStr) -> bool:
    """Whether a formatted text would be a reference, or one to a field, if each value were 1."""
    parts = (str(one.value) if isinstance(one, ast.Constant) else "1" for one in text.values)
    written = "".join(parts).partition("#")[0]
    if written != written.strip():
        return False
    try:
        return cell_ref(written).form not in ("session", "branch") and "." not in written[:2]
    except UsageError:
        return False


def made_by_hand(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and is_address(node):
            yield node.lineno


def kinds_of_chains(tree: ast.Module) -> Iterator[int]:
    """Lines that compare a kind with the name of one of a chain's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            named = {
                one.value
                for side in node.comparators
                for one in ast.walk(side)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
            if node.left.attr == "kind" and named & OF_CHAINS:
                yield node.lineno


def test_no_reference_is_made_by_hand() -> None:
    found = [
        f"{file}:{line}"
        for file, tree in sources()
        if file != "model/address.py" and not file.startswith(PATHS_OF_SERVICES)
        for line in made_by_hand(tree)
    ]
    assert found == []
    assert [*made_by_hand(ast.parse('f"{branch}/idea"'))] == [1]
    assert [*made_by_hand(ast.parse('f"{branch}/idea is here"'))] == []


def test_only_methods_know_the_kinds_of_a_chain() -> None:
    found = [
        f"{file}:{line}"
        for file, tree in sources()
        if not file.startswith(("methods/", "model/address.py"))
        for line in kinds_of_chains(tree)
    ]
    assert found == []
    assert [*kinds_of_chains(ast.parse('at.kind in ("slot", "card")'))] == [1]


def test_the_kernel_imports_no_method() -> None:
    named = {
        (file, node.module)
        for file, tree in sources()
        if file.startswith(("model/", "engine/", "store/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("coi_tui.methods")
    }
    assert named == set()
