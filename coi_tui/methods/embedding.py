"""Vectors of texts: those that the library knows are not asked and paid for again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Answer
from coi_tui.model.hashing import digest

if TYPE_CHECKING:
    from coi_tui.methods.services import Toolbox


class VectorShelf(Protocol):
    """Where vectors are found again, by model and by what was embedded: the shared library."""

    async def known_vectors(self, model: str, keys: Sequence[str]) -> Mapping[str, Sequence[float]]: ...

    async def keep_vectors(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None: ...


async def vectors_of(tools: Toolbox, ctx: Context, texts: Sequence[str]) -> list[list[float]]:
    """A vector for each text, in their order. Kept with the session as one call, and in the library text by text. Raises ServiceError."""

    async def send() -> Answer:
        return await _ask(tools, texts)

    call = await ctx.call("embed", {"texts": list(texts)}, send, shown={"texts": len(texts)})
    found: list[list[float]] = call.reply["vectors"]
    return found


async def _ask(tools: Toolbox, texts: Sequence[str]) -> Answer:
    """The library's vectors and the server's for the rest; all from the server where the two do not fit together."""
    from coi_tui.llm.prices import price_usd

    model, name, shelf = tools.embedding, tools.settings.embedding.model, tools.vectors
    assert model is not None
    keys = [digest(text) for text in texts]
    known = {key: list(vector) for key, vector in (await shelf.known_vectors(name, keys)).items()} if shelf else {}
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    tokens, served, got = 0, name, dict[str, list[float]]()
    if new:
        reply = await model.embed(list(new.values()))
        tokens, served, got = reply.prompt_tokens, reply.model_served, dict(zip(new, reply.vectors, strict=True))
        if known and len({len(v) for v in (*known.values(), *got.values())}) > 1:  # another model stands behind the name now
            reply = await model.embed(list(texts))
            tokens, got, known = tokens + reply.prompt_tokens, dict(zip(keys, reply.vectors, strict=True)), {}
        if shelf:
            await shelf.keep_vectors(name, got)
    vectors = [(known | got)[key] for key in keys]
    cost = price_usd(name, tokens, 0, tools.prices, base_url=tools.settings.base_url) if tokens else 0.0
    return Answer({"vectors": vectors, "model": served}, served, tokens, cost_usd=cost)
