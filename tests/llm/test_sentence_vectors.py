"""Sentence vectors by a model on this machine: what is missing is said, nothing is downloaded,
texts come back in their order."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from coi_tui.config import VectorSettings
from coi_tui.model.errors import ServiceError
from coi_tui.services.llm.sentence_vectors import BATCH, LONGEST, SentenceVectors, missing
from tests.support.vectors import install


def test_what_is_missing_is_said_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    assert "pip install 'coi-tui[vectors]'" in missing(VectorSettings(), tmp_path)
    install(monkeypatch)
    said = missing(VectorSettings(), tmp_path)
    assert f"hf download Qdrant/all-MiniLM-L6-v2-onnx --local-dir '{tmp_path}'" in said
    assert "put them there" in missing(VectorSettings(model="someone/else"), tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"x")
    assert missing(VectorSettings(), tmp_path) == said  # the tokenizer is missing still
    (tmp_path / "tokenizer.json").write_text("{}")
    assert missing(VectorSettings(), tmp_path) == ""


def test_texts_of_any_length_come_back_in_their_order_and_the_model_is_loaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = install(monkeypatch, tmp_path)
    model = SentenceVectors(VectorSettings(), tmp_path)
    texts = ["tree " * n for n in range(BATCH + 3, 0, -1)] + ["", "chart" + " " * LONGEST + "graph"]
    assert fake.made == []  # nothing is loaded before it is needed
    found = asyncio.run(model.embed(texts))
    assert [vector[2] for vector in found] == [*map(float, range(BATCH + 3, 0, -1)), 0.0, 0.0]
    assert found[-1][:2] == [1.0, 0.0]  # what is beyond the limit is not read
    assert [
        (made["model"], made["specific_model_path"], made["local_files_only"]) for made in fake.made
    ] == [("sentence-transformers/all-MiniLM-L6-v2", str(tmp_path), True)]
    model.close()


def test_files_that_are_no_model_are_an_error_of_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = install(monkeypatch, tmp_path)
    monkeypatch.setattr(fake, "breaks", "not a model\nwith a long trace")
    model = SentenceVectors(VectorSettings(), tmp_path)
    with pytest.raises(ServiceError, match="cannot be used: not a model "):
        asyncio.run(model.embed(["x"]))
    model.close()
