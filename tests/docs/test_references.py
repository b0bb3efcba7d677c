"""What the documents name exists: files, modules, benchmarks, commands with their options, and
links between documents."""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click import Command, Context, Group

from coi_tui.cli import cli
from tests.e2e.conftest import in_this_process
from tests.support.coi_process import environment

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
EXAMPLES = (
    "mine.bib",
    "config.toml",
    "paper.pdf",
    "trend.txt",
    "proposal.md",
    "NAME.coi.db",
)
"""Files of a person, not of this repository; so are those of the method Sketch, which the tutorial
makes."""
SUFFIXES = (".py", ".md", ".toml", ".txt", ".sql", ".jsonl", ".yml", "/")
FOLDERS = (ROOT, ROOT / "coi_tui", ROOT / "docs")


def code_in(text: str) -> Iterator[str]:
    """What stands between backticks, line by line and without the blocks."""
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def files_in(text: str) -> Iterator[tuple[str, str]]:
    """Names of files and folders, each with the folder of the one before it in the same line
    (``a/b.py``, ``c.py`` is ``a/c.py``)."""
    for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
        folder = ""
        for name in re.findall(r"`([^`\n]+)`", line):
            if (
                re.fullmatch(r"[\w./-]+", name)
                and name.endswith(SUFFIXES)
                and name not in EXAMPLES
                and "sketch" not in name
            ):
                yield name, folder
                folder = name.rpartition("/")[0] or folder


def exists(name: str, folder: str) -> bool:
    return any(
        (base / name).exists() or (folder and (base / folder / name).exists()) for base in FOLDERS
    )


def a_module(name: str) -> bool:
    """Whether a dotted name is a module of ours, or something in one."""
    for dots in range(3):
        try:
            if importlib.util.find_spec(name.rsplit(".", dots)[0]) is not None:
                return True
        except ModuleNotFoundError:
            continue
    return False


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_modules_and_links_of_a_document_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    missing = [name for name, folder in files_in(text) if not exists(name, folder)]
    words = [
        word
        for code in code_in(text)
        for word in re.findall(r"\b(?:coi_tui|benchmarks|scripts|tests)(?:\.\w+)+", code)
    ]
    missing += [word for word in words if not word.endswith((".py", ".md")) and not a_module(word)]
    linked = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text)
    missing += [
        name for name in linked if "://" not in name and not (document.parent / name).exists()
    ]
    assert not missing


def test_the_documents_install_into_a_virtual_environment_since_debians_python_refuses_elsewhere() -> (
    None
):
    installs = []
    for name in ("README.md", "CONTRIBUTING.md"):
        blocks = re.findall(
            r"```sh\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL
        )
        installs += [
            block.partition("pip install")[0] for block in blocks if "pip install" in block
        ]
    assert len(installs) == 3
    assert [
        before
        for before in installs
        if "python3 -m venv .venv && . .venv/bin/activate" not in before
    ] == []


def test_benchmarks_that_the_documents_name_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:python -m benchmarks)?\.(\w+)`", text)
    assert len(named) > 5
    assert [name for name in named if not (ROOT / "benchmarks" / f"{name}.py").exists()] == []


PAGES = ("add-a-method", "tutorial", "how-to", "explanations", "set-up", "command-line", "app")


@pytest.mark.parametrize(
    "document", ["README.md", "CHANGELOG.md", *(f"docs/{name}.md" for name in PAGES)]
)
def test_commands_and_options_of_a_document_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = [
        line
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
    ]
    lines = [line.partition("#")[0].strip() for line in [*blocks, *code_in(text)]]
    unknown = []
    for line in (line for line in lines if line.startswith("coi ")):
        words = line.split()[1:]
        command: Command = cli
        if words and not words[0].startswith("-"):
            if (found := cli.get_command(Context(cli), words[0])) is None:
                unknown.append(line)
                continue
            command = (
                found.commands.get(words[1], found)
                if isinstance(found, Group) and len(words) > 1
                else found
            )
        known = {
            option
            for each in (command, cli)
            for parameter in each.params
            for option in (*parameter.opts, *parameter.secondary_opts)
        }
        unknown += [
            f"{line}: {word}"
            for word in words
            if re.fullmatch(r"--[a-z-]+", word) and word not in known
        ]
    assert not unknown


TUTORIAL = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(
    encoding="utf-8"
)
STEPS = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", TUTORIAL, re.DOTALL)
"""Commands, and lines that they print; ``...`` stands for what is left out."""


def test_the_tutorial_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(STEPS) == TUTORIAL.count("```sh")
    env = environment(tmp_path / "home", extra={"COLUMNS": "100"})
    for commands, shown in STEPS:
        told: list[str] = []
        for line in commands.splitlines():
            words = shlex.split(line)
            if words[0] == "echo":
                Path(words[-1]).write_text(words[1], encoding="utf-8")
                continue
            ran = in_this_process(env, *words[1:])
            assert ran.code == 0, (line, ran.err)
            told += [*ran.err.splitlines(), *ran.out.splitlines()]
        for line in shown.splitlines():
            pattern = re.compile(".*".join(map(re.escape, line.split("..."))))
            assert any(pattern.fullmatch(one.rstrip()) for one in told), (line, told)
    assert "#" in (tmp_path / "proposal.md").read_text(encoding="utf-8")
    assert "@" in (tmp_path / "proposal.bib").read_text(encoding="utf-8")
