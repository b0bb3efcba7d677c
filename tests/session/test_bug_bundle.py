"""A bundle for a bug report holds no word of a person's, a paper's or a model's, no path, no name and no key."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys
from coi_tui.model.calls import Call, Failure, JobEvent
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Citations, Entity, Paper
from coi_tui.paths import Paths
from coi_tui.session.admin.bug_bundle import Inside, free_place, gather, write
from coi_tui.session.papers.imported import OwnPdf, keep_text, save_papers
from coi_tui.store.session_file import SessionFile
from tests.support.desk import copy_of, paths_in

NONCE = "Xyzzyq"
PLANTED = "sk-fake-0123456789abcdef"
PLACES = (
    "topic",
    "Q1",
    "1/0",
    "1/0.card",
    "1/0..+1",
    "1/dir",
    "1/idea",
    "1/nov",
    "1/exp",
    "1/review",
    "A/1-2",
)


def paper(n: int) -> Paper:
    """Every text of it is the nonce."""
    return Paper(
        id=f"DOI:10.1/{NONCE}{n}",
        ids={"DOI": f"10.1/{NONCE}{n}"},
        title=NONCE,
        year=2020,
        authors=(NONCE,),
        venue=NONCE,
        abstract=NONCE,
        published=NONCE,
        citations=Citations(count=3, source=NONCE, read=NONCE),
        open_pdf=f"https://{NONCE}.example/{PLANTED}",
        url=NONCE,
        source=NONCE,
        limitations=(NONCE,),
        datasets=(NONCE,),
        baselines=(NONCE,),
        entities=(Entity(name=NONCE, description=NONCE),),
    )


def entries() -> list[Decision | Version]:
    bounds = {"branches": 2, "source": NONCE, "known_until": NONCE, NONCE: NONCE}
    back = {"1/-1": {"paper": paper(4).id, "verdict": NONCE}}
    pinned = {"paper": paper(1).id, "why": {"by": NONCE, "query": NONCE}}
    ended = {"side": "forward", "tip_pos": 9, "tip": NONCE, "code": NONCE}
    out: list[Decision | Version] = [
        Decision(actor="you", action="settings", address="session", value=bounds, creation=True),
        Decision(actor="you", action="pin", address="1/0", value=pinned, reason=NONCE),
        Decision(
            actor="you",
            action="attach",
            address="1/0",
            value={"paper": paper(1).id, "pdf": NONCE, "file": NONCE},
        ),
        Decision(
            actor="you", action="note", address="1/0", value={"text": NONCE}, before={NONCE: NONCE}
        ),
        Decision(
            actor="you",
            action="reject",
            address="X",
            value={"paper": paper(2).id, "everywhere": True},
            reason=f"{NONCE} {PLANTED}",
        ),
        Decision(
            actor="you", action="ask", address=PLACES[0], value={"wish": f"{NONCE} {PLANTED}"}
        ),
        Decision(
            actor="you",
            action="pin",
            address="1/+1",
            value={"paper": paper(3).id, "reattach": back},
        ),
        Decision(actor="coi", action="end", address="1", value=ended, reason=NONCE),
    ]
    for place in PLACES:
        content = {NONCE: NONCE, "text": NONCE}
        recipe = {"prompt": NONCE, "model": NONCE, "served": NONCE, NONCE: NONCE}
        out.append(
            Version(
                actor="coi",
                address=place,
                content=content,
                meanings=meanings_of(content),
                origin="model",
                inputs={"topic#text": NONCE},
                sources={"topic#text": NONCE},
                recipe=recipe,
                beside=NONCE,
            )
        )
    times = {n: NONCE if n == 3 else f"2026-01-01T00:00:{n:02d}Z" for n in range(1, len(out) + 1)}
    stamped = [
        e.model_copy(update={"seq": n, "time": times[n]}) for n, e in enumerate(out, start=1)
    ]
    return [
        e.model_copy(update={"group": f"d{e.seq}" if e.seq % 2 else NONCE})
        if isinstance(e, Decision)
        else e
        for e in stamped
    ]


def fill(file: SessionFile) -> None:
    """A session whose every text field holds the nonce, and here and there a key."""
    call = Call(
        key=NONCE,
        kind="chat",
        address="1/0.card",
        step=NONCE,
        prompt=NONCE,
        model_asked=f"gpt-4o-{NONCE}",
        model_served=f"gpt-4o-{NONCE}",
        request={NONCE: NONCE, "user": f"{NONCE} {PLANTED}", "url": f"https://{PLANTED}@x"},
        reply={"text": NONCE},
        prompt_tokens=3,
        started=NONCE,
        seconds=1.5,
    )
    other = {
        "key": NONCE + "2",
        "kind": "text",
        "step": "card",
        "prompt": "coi_read",
        "model_served": NONCE,
        "address": NONCE,
    }
    own = call.model_copy(update=other)
    failures = [
        Failure(
            address="1/idea",
            step=NONCE,
            cause=f"{NONCE} {PLANTED}",
            kind=NONCE,
            keys=(NONCE,),
            time=NONCE,
            job=1,
        ),
        Failure(address=NONCE, step="card", cause=NONCE, kind="limited", time=NONCE),
    ]
    detail = {
        "kind": NONCE,
        "until": NONCE,
        "addresses": [NONCE],
        "calls": [1, NONCE],
        "failed": {NONCE: NONCE},
        NONCE: PLANTED,
    }
    events = [
        JobEvent(job=1, state="approved", time=NONCE, detail=detail),
        JobEvent(job=1, state="failed", time=NONCE, detail=detail),
    ]
    file.commit(
        entries=entries(),
        papers=[paper(n) for n in range(1, 5)],
        calls=[call, own],
        failures=failures,
        job_events=events,
    )
    file.set_ui(NONCE, {NONCE: NONCE})
    file.save_draft("1/idea", NONCE, None, {NONCE: NONCE})


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
    with SessionFile.create(
        places.sessions / f"{NONCE}.coi.db",
        {"name": NONCE, "topic": NONCE, "method": NONCE, NONCE: PLANTED},
    ) as file:
        fill(file)
    (places.sessions / f"broken {NONCE}.coi.db").write_text(NONCE)
    own = paper(9)
    save_papers(places, [own])
    keep_text(places, own, OwnPdf(f"{NONCE}.pdf", NONCE, NONCE, NONCE))
    places.prompts.mkdir(parents=True)
    (places.prompts / f"{NONCE}.md").write_text(NONCE)
    (places.prompts / "coi_read.md").write_text(NONCE)
    places.keys_file.write_text(f'"{NONCE}" = "x"')
    places.config_file.write_text(
        f'source = "openalex"\nmail = "{NONCE}@example.org"\n[llm]\nbase_url = "http://{NONCE}:{PLANTED}@127.0.0.1:11434/{NONCE}"\n'
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
        "COI_MAIL",
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
    assert settings["llm.reader.model"] == ["a name of your own", "file"]
    assert settings["mail"] == ["set", "environment"]
    assert settings["llm.timeout_s"] == [180.0, "default"]
    assert sorted(s["opened"] for s in found["sessions"].values()) == [False, True]
    said = next(s for s in found["sessions"].values() if s["opened"])
    assert said["log"]["decisions"]["you attach slot"] == 1
    assert said["log"]["versions"]["model card"] == 1
    assert said["failures"] == {"card limited": 1, "other other": 1}
    assert {c["prompt"] for c in said["calls"]} == {"other", "coi_read"}
    assert {c["model"] for c in said["calls"]} == {"gpt-4o ...", "a name of your own"}
    assert said["bounds"] == {"branches": 2}
    lines = next(lines for lines in found["log"].values() if lines)
    assert {
        "n": 2,
        "after_s": 1.0,
        "at": "1/0",
        "actor": "you",
        "action": "pin",
        "bulk": True,
    } in lines
    assert found["errors"] == [
        "ERROR",
        "  model/fold.py:12",
        "  elsewhere",
        "  elsewhere",
        "OperationalError",
    ]
    assert found["library"]["own_papers"] == found["library"]["own_pdf_texts"] == 1


def test_a_real_session_tells_its_times_and_freshness(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    desk.session.close()
    (said,) = parts(gather(desk.session.core.paths, Keys(), str(desk.session.core.file.path)))[
        "sessions"
    ].values()
    assert said["found_by_check"] == 0
    assert sum(said["log"]["versions"].values()) == desk.count_versions()
    cards = next(c for c in said["calls"] if c["step"] == "card" and c["kind"] == "chat")
    assert cards["seconds"]["count"] == cards["prompt_tokens"]["count"] > 10
    assert said["fresh"]["fresh card"] > 5
    assert [j["states"][-1] for j in said["jobs"]] == ["done"] or said["jobs"] == []


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
