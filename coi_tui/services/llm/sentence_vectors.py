"""Sentence vectors by a small model on this machine, with the optional extra ``vectors``
(fastembed). Nothing is ever downloaded."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.config import VectorSettings
from coi_tui.model.errors import ServiceError

if TYPE_CHECKING:
    from fastembed import TextEmbedding

SERVICE = "The model for sentence vectors"
BATCH = 16
"""Texts a turn: a run that is stopped waits for one turn at most."""
LONGEST = 1_000
"""Characters of a text that are read: the title and the first half of an abstract, about as much as
small models were trained with."""
TOKENIZER = "tokenizer.json"
INSTALL = "pip install 'coi-tui[vectors]'"
DOWNLOADS = {
    "sentence-transformers/all-MiniLM-L6-v2": "Qdrant/all-MiniLM-L6-v2-onnx",
    "BAAI/bge-small-en-v1.5": "Qdrant/bge-small-en-v1.5-onnx-Q",
}
"""Where the files of some models are found on Hugging Face, in the form that fastembed reads."""


def folder_of(settings: VectorSettings, data: Path) -> Path:
    """The folder of the model's files: the one that is set, else one in the data folder with the
    model's name."""
    return (
        Path(settings.folder).expanduser()
        if settings.folder
        else data / "models" / settings.model.rpartition("/")[2]
    )


def installed() -> bool:
    """Whether the extra is there; it is not imported to see that."""
    return find_spec("fastembed") is not None


def missing(settings: VectorSettings, folder: Path) -> str:
    """What is missing for sentence vectors, with the way to get it; empty where everything is
    there."""
    if not installed():
        return f"The extra for sentence vectors is not installed: {INSTALL}."
    if not (folder / TOKENIZER).is_file() or not any(folder.rglob("*.onnx")):
        known = DOWNLOADS.get(settings.model)
        way = (
            f"`hf download {known} --local-dir '{folder}'` downloads them"
            if known
            else "put them there (ONNX, with tokenizer.json)"
        )
        return f"The files of {settings.model} are not in {folder}: {way}."
    return ""


class SentenceVectors:
    """The model, loaded when the first text comes. It computes in a thread of its own; keys and
    other computations go on meanwhile."""

    def __init__(self, settings: VectorSettings, folder: Path) -> None:
        self._settings, self._folder = settings, folder
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vectors")
        self._model: TextEmbedding | None = None

    @property
    def name(self) -> str:
        return self._settings.model.rpartition("/")[2]

    @property
    def key(self) -> str:
        """What its vectors are stored under."""
        return f"local {self._settings.model}"

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in their order. Raises ServiceError where the model cannot be
        used."""
        loop = asyncio.get_running_loop()
        found: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            part = [text[:LONGEST] or "-" for text in texts[start : start + BATCH]]
            found += await loop.run_in_executor(self._thread, self._embed, part)
        return found

    def close(self) -> None:
        """Let go of the thread; what it is at is not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _embed(self, texts: list[str]) -> list[list[float]]:
        try:
            if self._model is None:
                self._model = self._load()
            return [
                [float(x) for x in vector]
                for vector in self._model.embed(texts, batch_size=len(texts))
            ]
        except Exception as error:
            what = str(error).partition("\n")[0][:200] or type(error).__name__
            raise ServiceError(
                SERVICE,
                "broken",
                f"{SERVICE} cannot be used: {what}",
                "See vectors.model and vectors.folder.",
            ) from error

    def _load(self) -> TextEmbedding:
        from fastembed import TextEmbedding

        return TextEmbedding(
            self._settings.model,
            specific_model_path=str(self._folder),
            local_files_only=True,
            threads=max(1, (os.cpu_count() or 2) // 2),
        )
