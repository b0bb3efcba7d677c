"""A person's copy of a prompt: taken when it fits, refused with one clear sentence when it does
not."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.prompts.loader import Prompts

Values = Callable[..., dict[str, dict[str, object]]]


def builtin_text(name: str) -> str:
    folders = [folder for folder in resources.files("coi_tui.prompts").iterdir() if folder.is_dir()]
    return next(
        f for folder in folders if (f := folder.joinpath(f"{name}.md")).is_file()
    ).read_text(encoding="utf-8")


def copy(folder: Path, old: str = "", new: str = "", name: str = "coi_rewrite") -> Prompts:
    text = builtin_text(name)
    assert old in text
    (folder / f"{name}.md").write_text(text.replace(old, new), encoding="utf-8")
    return Prompts(folder)


def test_a_copy_replaces_the_builtin_and_says_so(tmp_path: Path, values: Values) -> None:
    prompts = copy(tmp_path, "brought up no usable paper", "brought up nothing, my queries said")
    own, theirs = prompts.get("coi_rewrite"), Prompts().get("coi_rewrite")
    assert own.overridden
    assert not theirs.overridden
    assert own.hash != theirs.hash
    assert own.source == str(tmp_path / "coi_rewrite.md")
    assert "my queries" in own.render(values("a")["coi_rewrite"])[1]
    assert not prompts.get("coi_read").overridden


def test_a_copy_may_use_fewer_inputs_but_is_handed_all(tmp_path: Path, values: Values) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    text = builtin_text("coi_rewrite").replace('["topic", "question", "failed"]', '["topic"]')
    (folder / "coi_rewrite.md").write_text(
        text.split("# User")[0] + "# User\n{{ topic }}\n", encoding="utf-8"
    )
    assert Prompts(folder).get("coi_rewrite").render(values("a")["coi_rewrite"])[1] == "a"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "coi_rewrite"', 'name = "coi_other"', "coi_other"),
        ('reply = "Rewrite"', 'reply = "Questions"', "Questions"),
        ('"failed"]', '"failed", "secret"]', "secret"),
        ('"question", ', "", "question"),
        ("max_tokens = 400", "max_tokens = ", "not TOML"),
        ('version = "4"', 'version = "2"\ncolour = "red"', "colour"),
        ("optional = []", 'optional = ["year"]', "year"),
        ("# User", "# Person", "# User"),
        ("{{ topic|quoted }}", "{{ topic|quoted", "template"),
    ],
)
def test_an_unfit_copy_is_refused_naming_file_and_cause(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    with pytest.raises(UsageError) as caught:
        copy(tmp_path, old, new).get("coi_rewrite")
    assert says in caught.value.message
    assert "coi_rewrite.md" in caught.value.message
    assert caught.value.hint


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        Prompts().get("../secrets")
    assert "coi_read" in caught.value.hint
