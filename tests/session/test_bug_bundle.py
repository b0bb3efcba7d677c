"""A bundle for a bug report holds no key, no address and no text of a session."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from coi_tui.config import Keys
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.session.admin.bug_bundle import Inside, free_place, gather, write
from tests.support.desk import paths_in

SECRET = "sk-fake-0123456789abcdef"


def test_it_tells_versions_settings_and_log_and_no_secret(tmp_path: Path) -> None:
    places = paths_in(tmp_path)
    places.config_file.parent.mkdir(parents=True, exist_ok=True)
    places.config_file.write_text(
        f'[llm]\nbase_url = "http://me:{SECRET}@127.0.0.1:11434"\n'
        '[llm.prices."a"]\ninput = 1\noutput = 1\n'
    )
    places.log.parent.mkdir(parents=True, exist_ok=True)
    places.log.write_text("ERROR something\n")
    keys, out = Keys(llm=SECRET), tmp_path / "out.zip"
    write(gather(places, keys), out, keys)
    with zipfile.ZipFile(out) as held:
        texts = {name: held.read(name).decode() for name in held.namelist()}
    assert json.loads(texts["about.json"])["packages"]["textual"]
    told = json.loads(texts["settings.json"])
    assert told["keys_set"] == {"llm": True, "semantic_scholar": False, "openalex": False}
    assert told["settings"]["llm.base_url"] == ["set", "file"]
    assert told["settings"]["llm.timeout_s"] == [180.0, "default"]
    assert texts["log.txt"] == "ERROR something\n"
    assert SECRET not in "".join(texts.values())


@pytest.mark.parametrize(
    ("keys", "environ"), [(Keys(llm=SECRET), {}), (Keys(), {"MY_API_KEY": SECRET})]
)
def test_a_key_that_would_get_in_after_all_stops_it(
    tmp_path: Path, keys: Keys, environ: dict[str, str]
) -> None:
    out = tmp_path / "out.zip"
    with pytest.raises(StoreError, match="nothing was written"):
        write([Inside("a.json", "", f"x {SECRET}")], out, keys, environ)
    assert not out.exists()


def test_an_existing_file_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    out.write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        free_place(out)
    assert free_place(out, overwrite=True) == out
    with pytest.raises(UsageError, match=r"does not end in \.zip"):
        free_place(tmp_path / "out.txt")
