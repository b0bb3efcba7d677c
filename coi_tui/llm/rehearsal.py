"""A first call that goes nowhere: at its first call the SDK makes tables for longer than a frame lasts."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

_ANSWER = b'data: {"id": "none", "object": "chat.completion.chunk", "created": 0, "model": "none", "choices": []}\n\ndata: [DONE]\n\n'


def rehearse() -> None:
    """Make a streamed call whose answer is made up here; nothing is sent. For a worker thread, as it runs an event loop of its own."""
    asyncio.run(_rehearsed())


async def _rehearsed() -> None:
    import httpx2
    import openai

    client = openai.AsyncOpenAI(
        api_key="none", base_url="http://nowhere.invalid/v1", max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(transport=httpx2.MockTransport(_answered)),
    )  # fmt: skip
    with contextlib.suppress(openai.OpenAIError, httpx2.HTTPError):  # the real call says what is wrong
        async with client.chat.completions.with_streaming_response.create(
            model="none", messages=[{"role": "user", "content": ""}], stream=True, stream_options={"include_usage": True}, max_tokens=1,
            response_format={"type": "json_schema", "json_schema": {"name": "none", "schema": {"type": "object"}}},
        ) as answer:  # fmt: skip
            async for _ in answer.iter_lines():
                pass
    await client.close()


def _answered(request: httpx2.Request) -> httpx2.Response:
    import httpx2

    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=_ANSWER)
