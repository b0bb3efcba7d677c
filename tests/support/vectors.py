"""A stand-in for the model of sentence vectors: vectors that count chosen words, and a folder with
files of the names that it has."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from coi_tui.services.llm import sentence_vectors


class FakeModel:
    """One number a word of ``words`` (how often it occurs), and a small one that all texts share.
    ``made`` and ``seen`` tell of its use."""

    words: tuple[str, ...] = ("chart", "graph", "tree")
    made: list[Path] = []
    seen: list[str] = []
    breaks = ""

    def __init__(self, folder: Path) -> None:
        FakeModel.made.append(folder)
        if self.breaks:
            raise ValueError(self.breaks)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        FakeModel.seen.extend(texts)
        return [[*(float(text.lower().count(word)) for word in self.words), 0.1] for text in texts]


def install(monkeypatch: pytest.MonkeyPatch, folder: Path) -> type[FakeModel]:
    """Put the stand-in into the model's place, and files of its names into ``folder``."""
    monkeypatch.setattr(sentence_vectors, "_Bert", FakeModel)
    for name, empty in (("made", []), ("seen", []), ("breaks", "")):
        monkeypatch.setattr(FakeModel, name, empty)
    folder.mkdir(parents=True, exist_ok=True)
    for name in sentence_vectors.FILES:
        (folder / name).write_text("{}")
    return FakeModel
