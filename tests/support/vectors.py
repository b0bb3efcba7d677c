"""A stand-in for the package fastembed: vectors that count chosen words, and a folder that looks
like one of model files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


class FakeTextEmbedding:
    """One number a word of ``words`` (how often it occurs), and a small one that all texts share.
    ``made`` and ``seen`` tell of its use."""

    words: tuple[str, ...] = ("chart", "graph", "tree")
    made: list[dict[str, Any]] = []
    seen: list[str] = []
    breaks = ""

    def __init__(self, model: str, **given: Any) -> None:
        FakeTextEmbedding.made.append({"model": model, **given})
        if self.breaks:
            raise ValueError(self.breaks)

    def embed(self, texts: Sequence[str], batch_size: int) -> Iterator[list[float]]:
        for text in texts:
            FakeTextEmbedding.seen.append(text)
            yield [*(float(text.lower().count(word)) for word in self.words), 0.1]


def install(monkeypatch: pytest.MonkeyPatch, folder: Path | None = None) -> type[FakeTextEmbedding]:
    """Make ``import fastembed`` give the stand-in; with ``folder`` its model files are there
    too."""
    module = ModuleType("fastembed")
    module.__spec__ = ModuleSpec("fastembed", None)
    module.TextEmbedding = FakeTextEmbedding  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastembed", module)
    for name, empty in (("made", []), ("seen", []), ("breaks", "")):
        monkeypatch.setattr(FakeTextEmbedding, name, empty)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(b"not a model")
        (folder / "tokenizer.json").write_text("{}")
    return FakeTextEmbedding
