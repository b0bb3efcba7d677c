"""Files and texts that are made to be read without end, to fill the memory or to break the reader:
one declared sentence each."""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.paths import MOST_TEXT, read_file
from coi_tui.session.papers.own_papers import import_papers
from coi_tui.session.settings import load_settings
from tests.support.desk import paths_in

BIG = 20_000

SLOW = {
    "a name without a value": f"@a{{k,{'a' * BIG}}}",
    "blanks for a name": f"@a{{k,a{' ' * BIG}}}",
    "joined without end": f"@a{{k,t=a{'#a' * BIG}}}",
    "an identifier of brackets": f"@a{{k,title={{t}},doi={{10.1234/{')' * BIG}}}}}",
    "digits that are no numbers": "@a{k,title={t},year=2020,month={²}}",
    "braces in a value that never close": "@a{k,title={" * BIG,
    "a quotation mark that never closes": '@a{k,t="' * BIG,
    "braces in braces": f"@a{{k,title={{{'{' * BIG}t{'}' * BIG}}}}}",
    "commands in commands": "@a{k,title={" + r"\textbf{" * 2_000 + "t" + "}" * 2_000 + "}}",
    "formulas in formulas": "@a{k,title={" + r"\(" * BIG + "t}}",
    "half of a command": r"@a{k,title={\href{t}}}",
    "files without end": "@a{k,title={t},file={" + r"a:\b;:" * BIG + "}}",
    "names without end": "@a{k,title={t},author={" + "a and {b" * BIG + "}" * BIG + "}}",
}


@pytest.mark.parametrize("case", SLOW)
def test_a_list_that_was_slow_or_broke_the_reader_is_read(case: str) -> None:
    found = read_bibliography(SLOW[case], "x.bib")
    assert len(found.papers) + len(found.left_out) <= 1
    assert all(len(p.title) <= 1000 for p in found.papers)


SLOW_LISTS = {
    "records of nothing": "TY  - \n" * BIG,
    "a record without end": "TY  - JOUR\nTI  - a\n" + "b\n" * BIG * 10,
    "words before the first record": "TY -\n" + "b\n" * BIG * 10,
    "a title of a megabyte": f"TY  - JOUR\nTI  - {'a ' * 500_000}\nER  - ",
    "authors without end": f"TY  - JOUR\nTI  - a\n{'AU  - B, C' * BIG}\n" + "AU  - B, C\n" * BIG,
    "lists in lists": '[{"title": ' + "[" * BIG + "]" * BIG + "}]",
    "blanks before the tag": f"TY  - JOUR\n{' ' * BIG}TI  - a\nER  - ",
    "PubMed's blanks": f"PMID- 1\nTI{' ' * BIG}x\n" * 5,
}


@pytest.mark.parametrize("case", SLOW_LISTS)
def test_another_list_that_was_slow_is_read(case: str) -> None:
    with contextlib.suppress(UsageError):
        found = read_bibliography(SLOW_LISTS[case], "x.ris")
        assert len(found.papers) <= 1
        assert all(len(p.title) <= 1000 for p in found.papers)


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            (
                "@a{",
                "@string{",
                "}",
                "{",
                "=",
                "#",
                '"',
                ",",
                "title",
                "year=2020",
                "x",
                " ",
                "\n",
                "\\",
                "[",
                "]",
                ":",
                '"title"',
                "9",
                "²",
                "\x1b",
                "\ud800",
                "&lt;",
                "(",
                ")",
                "and ",
                "doi={10.1/",
            )
        ),
        max_size=30,
    ),
)
def test_any_list_of_papers_gives_papers_or_a_declared_error(pieces: list[str]) -> None:
    with contextlib.suppress(CoiError):
        found = read_bibliography("".join(pieces), "x.bib")
        assert all(paper.title for paper in found.papers)


@settings(max_examples=100)
@given(
    st.sampled_from(("TY  - ", "PMID- ", "PT ", "[", '{"items": [')),
    st.lists(
        st.sampled_from(
            [
                "TY  - ",
                "TI  - ",
                "AU  - ",
                "ER  - ",
                "DO  - 10.1/x",
                "L1  - ",
                "UR  - ;",
                "\n",
                "  ",
                "a, b",
                "2020",
                "PMID- ",
                "FAU - ",
                "PT J",
                "EF",
                "ER",
                "\x1b",
                "�",
                "{",
                "}",
                "[",
                "]",
                ":",
                ",",
                "null",
                '"title"',
                '"a"',
                '"author"',
                '"issued"',
                "1",
            ]
        ),
        max_size=30,
    ),
)
def test_any_other_list_gives_papers_or_a_declared_error(start: str, pieces: list[str]) -> None:
    with contextlib.suppress(CoiError):
        found = read_bibliography(start + "".join(pieces), "x.ris")
        assert all(paper.title for paper in found.papers)


def test_toml_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(f"a = {'[' * BIG}", encoding="utf-8")
    with pytest.raises(UsageError, match="nested too deeply"):
        load_settings(tmp_path / "x.toml", {})


@pytest.fixture
def huge(tmp_path: Path) -> Iterator[Path]:
    """A file of a gigabyte that takes no room; it goes at the end, since the session's last look
    reads every file."""
    with (tmp_path / "x.bib").open("wb") as file:
        file.truncate(10**9)
    yield tmp_path / "x.bib"
    (tmp_path / "x.bib").unlink()


def test_a_file_of_a_gigabyte_is_not_read(tmp_path: Path, huge: Path) -> None:
    places = paths_in(tmp_path)
    with pytest.raises(UsageError, match="larger than 64 MB"):
        import_papers(places, huge)
    with pytest.raises(UsageError, match="larger than 1 MB"):
        load_settings(huge, {})
    assert not places.library.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.bib")
    (tmp_path / "zero.bib").symlink_to("/dev/zero")
    for name in ("x.bib", "zero.bib"):
        with pytest.raises(UsageError, match="is not a file"):
            import_papers(paths_in(tmp_path), tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_gives_a_text_up_to_the_limit(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write(data: bytes) -> None:
        try:
            pipe.write_bytes(data)
        except BrokenPipeError:
            return

    for data in (b"a text", b"a" * (MOST_TEXT + 2_000_000)):
        writer = threading.Thread(target=write, args=(data,))
        writer.start()
        if len(data) < MOST_TEXT:
            assert read_file(pipe, MOST_TEXT, pipe=True) == data
        else:
            with pytest.raises(UsageError, match="larger than 4 MB"):
                read_file(pipe, MOST_TEXT, pipe=True)
        writer.join()


def test_an_endless_text_for_a_cell_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from coi_tui.cli.decide import edit

    monkeypatch.setenv("COI_HOME", str(tmp_path))
    for file in ("/dev/zero", "-"):
        result = CliRunner().invoke(
            edit, ["none", "topic", "--file", file], input=b"a" * (MOST_TEXT + 1)
        )
        assert isinstance(result.exception, UsageError)
        assert "larger than 4 MB" in result.exception.message
