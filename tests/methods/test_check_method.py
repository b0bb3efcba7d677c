"""``check_method`` finds what an author of a method may do wrong, and says where; the example package
has nothing of the kind."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import coi_sketch
import pytest
from coi_sketch.kinds import KINDS, Background, Hits
from coi_sketch.method import SPEC, Sketch, SketchSettings
from coi_sketch.tasks import BACKGROUND, IDEA, TASKS, SearchTask
from pydantic import BaseModel

from coi_tui.engine.declarations import CellKind
from coi_tui.engine.method_spec import MethodSpec
from coi_tui.methods import registry
from coi_tui.methods.base.task import TextTask
from coi_tui.model.errors import UsageError
from coi_tui.plugin import TOPIC, Inputs, Reply, Result, kinds_of, reading, result
from coi_tui.testing import check_method

PROMPTS = Path(coi_sketch.__file__).parent / "prompts"
kind = kinds_of("K")


def test_the_example_has_no_mistake_and_leaves_nothing_registered() -> None:
    check_method(SPEC)
    assert SPEC.name not in registry.METHODS


# -- what an author may do wrong


def made(
    kinds: tuple[CellKind, ...] = KINDS,
    tasks: Mapping[str, Any] = TASKS,
    stages: tuple[str, ...] = Sketch.own_stages,
    settings: type[BaseModel] = SketchSettings,
    **more: Any,
) -> MethodSpec:
    table = {"own_kinds": kinds, "tasks": tasks, "own_stages": stages}
    wrong: type[Sketch] = type("Wrong", (Sketch,), table)
    return wrong.spec(more.pop("letter", "K"), settings, prompts=PROMPTS, section="sketch", **more)


def changed(name: str, **fields: Any) -> tuple[CellKind, ...]:
    return tuple(replace(one, **fields) if one.name == name else one for one in KINDS)


def background(**fields: Any) -> MethodSpec:
    return made(tasks={**TASKS, "background": replace(BACKGROUND, **fields)})


def reading_for_idea(*reads: str) -> MethodSpec:
    found = reading(TOPIC, "background={instance}/background#text", *reads)
    return made(tasks={**TASKS, "idea": replace(IDEA, reads=found)})


class Wordy(Reply):
    text: str = ""
    more: str = ""


class Careless(SearchTask):
    """Gives what it is told to."""

    rows: Mapping[str, Any] = {}

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        return result(inputs, self.rows, "source")


def giving(**content: Any) -> MethodSpec:
    return made(tasks={**TASKS, "hits": type("Giving", (Careless,), {"rows": content})})


class Failing(SearchTask):
    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        raise KeyError("no")


class Lazy(Sketch):
    def course(self, *_: Any, **__: Any) -> Any:
        return [one for one in super().course(*_, **__) if not one.address.endswith("/hits")]


MISTAKES: dict[str, tuple[Callable[[], MethodSpec], tuple[str, ...]]] = {
    "letter of the arena": (lambda: made(letter="A"), ("'A'",)),
    "letter of another method": (lambda: made(letter="S"), ("SciPIP",)),
    "settings section of the program": (lambda: replace(SPEC, section="llm"), ("llm",)),
    "other version of the plug-in's interface": (lambda: made(api=99), ("99",)),
    "stages that do not end in ideas": (
        lambda: made(stages=("background", "search")),
        ("ideas", "search"),
    ),
    "no idea": (lambda: made(KINDS[:2], {k: TASKS[k] for k in ("background", "hits")}), ("idea",)),
    "a name that is no address": (
        lambda: made(
            (kind("slot", "Card", Background, "sketch background", "background"), *KINDS),
            {**TASKS, "slot": BACKGROUND},
        ),
        ("cell slot",),
    ),
    "an unknown stage": (lambda: made(changed("hits", stage="looking")), ("cell hits", "looking")),
    "a forgotten task": (
        lambda: made(tasks={k: v for k, v in TASKS.items() if k != "hits"}),
        ("cell hits", "sketch search"),
    ),
    "another name of the task": (
        lambda: made(changed("hits", task="search")),
        ("cell hits", "'search'"),
    ),
    "a task without a cell": (
        lambda: made(tasks={**TASKS, "extra": BACKGROUND}),
        ("cell extra",),
    ),
    "an edit of a field that is not there": (
        lambda: made((kind("background", "B", Background, edits="gapz"), *KINDS[1:])),
        ("cell background", "gapz"),
    ),
    "an edit of what is no text": (
        lambda: made((*KINDS[:1], kind("hits", "H", Hits, edits="papers"), KINDS[2])),
        ("cell hits", "papers"),
    ),
    "a reply that the content would lose": (
        lambda: background(reply=Wordy),
        ("cell background", "more"),
    ),
    "an input of a field that is not there": (
        lambda: reading_for_idea("gap={instance}/background#gapz", "papers={instance}/hits#papers"),
        ("sketch idea", "gapz"),
    ),
    "an input of a cell that is not there": (
        lambda: reading_for_idea("gap={instance}/gaps#text", "papers={instance}/hits#papers"),
        ("sketch idea", "cell gaps"),
    ),
    "an input that is no address": (
        lambda: reading_for_idea("gap={instance}/Gaps 1#x", "papers={instance}/hits#papers"),
        ("sketch idea", "Gaps 1"),
    ),
    "an input with an unknown name in braces": (
        lambda: reading_for_idea("gap={round}/hits#papers"),
        ("sketch idea", "round"),
    ),
    "an input of the prompt that nothing gives": (
        lambda: reading_for_idea("gap?={instance}/background#gaps.1"),
        ("sketch_idea", "papers"),
    ),
    "a value that the task forgets": (
        lambda: background(values=lambda ctx, inputs: {}),
        ("K1/background", "sketch_background", "topic"),
    ),
    "another reply than the prompt asks for": (
        lambda: made(
            changed("background", content=Hits),
            {
                **TASKS,
                "background": TextTask(
                    "sketch background", "sketch_background", Hits, reading(TOPIC)
                ),
            },
        ),
        ("sketch_background", "Background", "Hits"),
    ),
    "content that does not fit": (lambda: giving(papers="none"), ("K1/hits", "papers")),
    "content that is not declared": (
        lambda: giving(papers=[], found=3),
        ("K1/hits", "found"),
    ),
    "an error in a task": (
        lambda: made(tasks={**TASKS, "hits": Failing}),
        ("KeyError",),
    ),
    "a cell that no stage wants": (
        lambda: replace(SPEC, make=lambda tools, instance: Lazy(instance, tools)),
        ("hits",),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_place(mistake: str) -> None:
    make, places = MISTAKES[mistake]
    with pytest.raises((AssertionError, UsageError)) as found:
        check_method(make())
    for place in places:
        assert place in str(found.value), found.value


def _without_reply(text: str) -> str:
    return text.replace('reply = "Background"\n', "")


PROMPT_MISTAKES: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {
    "no such file": (lambda text: "", ("sketch background", "sketch_background")),
    "no reply named": (_without_reply, ("sketch_background", "reply")),
    "no TOML": (lambda text: text.replace("version =", "version"), ("sketch_background", "TOML")),
    "an input that is not listed": (
        lambda text: text.replace("{{ topic|quoted }}", "{{ subject|quoted }}"),
        ("sketch_background", "subject"),
    ),
    "no template": (
        lambda text: text.replace("{{ topic|quoted }}", "{% if topic %}"),
        ("sketch_background",),
    ),
}


@pytest.mark.parametrize("mistake", PROMPT_MISTAKES)
def test_a_mistake_in_a_prompt_names_it(mistake: str, tmp_path: Path) -> None:
    change, places = PROMPT_MISTAKES[mistake]
    folder = Path(shutil.copytree(PROMPTS, tmp_path / "prompts"))
    file = folder / "sketch_background.md"
    text = change(file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8") if text else file.unlink()
    with pytest.raises(AssertionError) as found:
        check_method(replace(SPEC, prompts=folder))
    for place in places:
        assert place in str(found.value), found.value


def test_a_prompt_that_no_task_names_is_named(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(PROMPTS, tmp_path / "prompts"))
    shutil.copy(folder / "sketch_idea.md", folder / "sketch_spare.md")
    with pytest.raises(AssertionError, match="sketch_spare"):
        check_method(replace(SPEC, prompts=folder))
