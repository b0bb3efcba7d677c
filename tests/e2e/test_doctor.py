"""``coi doctor`` in each kind of trouble: what it says, and that it says what works all the
same."""

import json
import os
import stat
from pathlib import Path

import pytest

from coi_tui.services.llm.sentence_vectors import WHEEL
from tests.e2e.conftest import KEY, MODELS, S2_KEY, Run
from tests.support.coi_process import coi, environment
from tests.support.standins import Settings, StandInProcess
from tests.support.standins.small_server import JSON, serving

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


@pytest.mark.parametrize(
    ("status", "code", "says"), [(401, 1, "rejected the API key"), (404, 0, "llm.base_url")]
)
def test_a_wrong_key_and_a_server_that_lists_no_models_but_may_answer(
    tmp_path: Path, status: int, code: int, says: str
) -> None:
    error = {"message": "Incorrect API key provided", "code": "invalid_api_key"}
    with serving(lambda _: (status, JSON, json.dumps({"error": error}).encode())) as server:
        ended, out = _with(tmp_path, OPENAI_BASE_URL=f"{server.url}/v1")
    said = lines(out)["language model"]
    assert ended == code, out
    assert said.startswith("FAILED") == (code == 1)
    assert says in said


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
