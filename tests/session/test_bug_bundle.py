"""A bundle for a bug report holds no word of a person's, a paper's or a model's, no path, no name
and no key."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.paths import Paths
from coi_tui.session.admin.bug_bundle import Inside, free_place, gather, write
from tests.support.desk import paths_in

NONCE = "Xyzzyq"
PLANTED = "sk-fake-0123456789abcdef"
LOG = f"""2026-01-01 10:00:00,000 ERROR coi_tui.{NONCE}: {NONCE} {PLANTED}
Traceback (most recent call last):
  File "/home/{NONCE}/coi_tui/model/fold.py", line 12, in {NONCE}
    {NONCE}
  File "/home/{NONCE}/other/{NONCE}.py", line 3, in x
  File "C:\\Users\\{NONCE}\\coi_tui\\{NONCE}.py", line 3, in x
{NONCE}Error: {NONCE}
{NONCE}: x
sqlite3.OperationalError: {NONCE}
"""


def home(folder: Path) -> Paths:
    """A home whose every file is full of nonces; its very path holds one."""
    places = paths_in(folder / NONCE)
    places.sessions.mkdir(parents=True)
    (places.sessions / f"{NONCE}.coi.db").write_text(NONCE)
    places.prompts.mkdir(parents=True)
    (places.prompts / f"{NONCE}.md").write_text(NONCE)
    (places.prompts / "coi_read.md").write_text(NONCE)
    places.keys_file.write_text(f'"{NONCE}" = "x"')
    places.config_file.write_text(
        f'source = "openalex"\n[llm]\nbase_url = "http://{NONCE}:{PLANTED}@127.0.0.1:11434/{NONCE}"\n'
        f'[llm.main]\nmodel = "gpt-4o-{NONCE}"\n[llm.reader]\nmodel = "{NONCE}"\n[llm.prices."{NONCE}"]\ninput = 1\noutput = 1\n'
    )
    places.log.parent.mkdir(parents=True)
    places.log.write_text(LOG)
    return places


def in_zip(path: Path) -> str:
    """Everything of the zip: names, comments and contents; and the raw bytes."""
    with zipfile.ZipFile(path) as held:
        inside = "\n".join(
            [
                held.comment.decode(),
                *held.namelist(),
                *(held.read(n).decode() for n in held.namelist()),
            ]
        )
        extra = "".join(repr((i.comment, i.extra)) for i in held.infolist())
    return inside + extra + path.read_bytes().decode("latin-1")


def parts(inside: list[Inside]) -> dict[str, Any]:
    return {i.name.removesuffix(".json"): json.loads(i.text) for i in inside}


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Keys:
    for name in ("OPENAI_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "OTHER_TOKEN"):
        monkeypatch.setenv(name, PLANTED)
    for name in (
        "COI_MODEL",
        "USER",
        "LOGNAME",
        "USERNAME",
        "TERM",
        "COLORTERM",
        "HOSTNAME",
    ):
        monkeypatch.setenv(name, NONCE)
    return Keys(llm=PLANTED, semantic_scholar=PLANTED, openalex=None)


def test_no_word_of_anyone_and_no_key_is_in_the_zip(tmp_path: Path, keys: Keys) -> None:
    out = tmp_path / "out.zip"
    write(gather(home(tmp_path), keys), out, keys)
    text = in_zip(out)
    assert NONCE.lower() not in text.lower()
    assert PLANTED not in text
    assert str(tmp_path) not in text
    assert not re.search(r"/home/|/root|/tmp|Users", text)


def test_what_a_report_needs_is_in_it(tmp_path: Path, keys: Keys) -> None:
    found = parts(gather(home(tmp_path), keys))
    assert found["about"]["coi_tui"]
    assert found["about"]["packages"]["textual"].count(".") >= 1
    assert found["settings"]["keys_set"] == {
        "llm": True,
        "semantic_scholar": True,
        "openalex": False,
    }
    assert found["settings"]["prompts_replaced"] == ["coi_read"]
    settings = found["settings"]["settings"]
    assert settings["source"] == ["openalex", "file"]
    assert settings["llm.reader.model"] == ["set", "file"]
    assert settings["llm.timeout_s"] == [180.0, "default"]
    assert found["log"] == [
        "ERROR",
        "  model/fold.py:12",
        "  elsewhere",
        "  elsewhere",
        "OperationalError",
    ]


def test_a_key_that_would_get_in_after_all_stops_it(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    with pytest.raises(StoreError, match="nothing was written"):
        write([Inside("a.json", "", f"x {PLANTED}")], out, Keys(llm=PLANTED), {})
    with pytest.raises(StoreError, match="nothing was written"):
        write([Inside("a.json", "", f"x {PLANTED}")], out, Keys(), {"MY_API_KEY": PLANTED})
    assert not out.exists()


def test_an_existing_file_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    out.write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        free_place(out)
    assert free_place(out, overwrite=True) == out
    with pytest.raises(UsageError, match=r"does not end in \.zip"):
        free_place(tmp_path / "out.txt")
