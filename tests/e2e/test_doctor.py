"""``coi doctor`` in each kind of trouble: what it says, and that it says what works all the
same."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from coi_tui.services.llm.sentence_vectors import WHEEL
from tests.e2e.conftest import KEY, MODELS, S2_KEY, Run
from tests.support.coi_process import coi, environment
from tests.support.standins import Settings, StandInProcess

KEYS = {"OPENAI_API_KEY": KEY, "SEMANTIC_SCHOLAR_API_KEY": S2_KEY, **MODELS}


def lines(text: str) -> dict[str, str]:
    """State and words of each check by its name."""
    return {line[9:31].strip(): f"{line[:8].strip()} {line[32:]}" for line in text.splitlines()}


def test_nothing_set_up_is_no_failure(offline: Run) -> None:
    ran = offline("doctor")
    said = lines(ran.out)
    assert ran.code == 0
    assert said["language model"].startswith("off")
    assert "worksheets" in said["language model"]
    assert "starter library is searched" in said["Semantic Scholar"]
    assert said["storage"].startswith("ok")
    assert "FAILED" not in ran.out


def test_all_is_well(online: Run) -> None:
    ran = online("doctor")
    assert ran.code == 0, ran.out
    said = lines(ran.out)
    assert "ms" in said["language model"]
    assert said["Semantic Scholar"].startswith("ok")
    assert said["arXiv"].startswith("off")
    assert not [secret for secret in (KEY, S2_KEY) if secret in ran.out + ran.err]


def _with(tmp_path: Path, **env: str) -> tuple[int, str]:
    with StandInProcess(Settings()) as pair:
        ran = coi(environment(tmp_path, pair, {**KEYS, **env}), "doctor")
    assert not [secret for secret in (KEY, S2_KEY) if secret in ran.out + ran.err]
    assert "Traceback" not in ran.err
    return ran.code, ran.out


def test_a_model_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    code, out = _with(tmp_path, COI_MODEL="standin-mian")
    assert code == 1
    assert "does not list standin-mian" in out
    assert "It offers standin-main" in lines(out)["language model"]
    assert "coi config models standin-main standin-reader" in out


class Refusing:
    """A server that wants another key, or answers every request with another status."""

    def __init__(self, status: int = 401) -> None:
        self.status = status

    def __enter__(self) -> str:
        code = (
            "import http.server\n"
            "class H(http.server.BaseHTTPRequestHandler):\n"
            "    def do_GET(self):\n"
            '        body = b\'{"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}\'\n'
            f"        self.send_response({self.status}); self.send_header('Content-Type', 'application/json')\n"
            "        self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)\n"
            "    def log_message(self, *a): pass\n"
            "s = http.server.HTTPServer(('127.0.0.1', 0), H); print(s.server_port, flush=True); s.serve_forever()\n"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        return f"http://127.0.0.1:{self.process.stdout.readline().strip()}/v1"

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def test_a_wrong_key(tmp_path: Path) -> None:
    with Refusing() as url:
        code, out = _with(tmp_path, OPENAI_BASE_URL=url)
    said = lines(out)["language model"]
    assert code == 1
    assert said.startswith("FAILED")
    assert "key" in said
    assert "rejected the API key" in said


def test_a_server_that_lists_no_models_may_still_answer(tmp_path: Path) -> None:
    with Refusing(404) as url:
        code, out = _with(tmp_path, OPENAI_BASE_URL=url)
    said = lines(out)["language model"]
    assert code == 0, out
    assert not said.startswith("FAILED")
    assert "llm.base_url" in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder(offline: Run, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        ran = offline("doctor")
    finally:
        data.chmod(stat.S_IRWXU)
    assert ran.code == 1
    assert lines(ran.out)["storage"].startswith("FAILED")


def test_a_model_is_downloaded_only_after_a_yes(offline: Run, tmp_path: Path) -> None:
    ran = offline("vectors", "install")
    assert ran.code == 3
    assert WHEEL in ran.err
    assert not list(tmp_path.rglob("*.safetensors"))
