"""What ``coi doctor`` says about the kind of model server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings
from coi_tui.session.doctor import Finding, models
from tests.llm.server import chat
from tests.support.standins.small_server import JSON, SmallServer, serving

BIG = {"main": RoleSettings(model="big"), "reader": RoleSettings()}


MODELS = b'{"object": "list", "data": [{"id": "big", "object": "model"}]}'


@pytest.fixture
def server() -> Iterator[SmallServer]:
    """A server of one model that answers at any path."""
    with serving(
        lambda path: (200, JSON, MODELS if path.endswith("/models") else chat().content)
    ) as made:
        yield made


async def examined(
    server: SmallServer, profile: str, path: str = "", key: str | None = None, **more: object
) -> dict[str, Finding]:
    given = {"base_url": server.url + path, "profile": profile, **BIG, **more}
    settings = Settings(llm=LlmSettings.model_validate(given))
    return {check.what: check for check in await models(settings, Keys(llm=key))}


@pytest.mark.parametrize(
    ("profile", "name"),
    [("ollama", "Ollama"), ("lmstudio", "LM Studio"), ("llamacpp", "llama.cpp"), ("vllm", "vLLM")],
)
async def test_local_servers_are_named_and_need_no_key(
    server: SmallServer, profile: str, name: str
) -> None:
    said = await examined(server, profile)
    assert said["model server"].state == "ok"
    assert said["model server"].detail.startswith(f"{name} (set by llm.profile)")
    assert "no key set" in said["model server"].detail
    assert said["language model"].state == "ok"


async def test_a_missing_key_is_told_where_one_is_needed(server: SmallServer) -> None:
    said = await examined(server, "openrouter")
    assert said["model server"].state == "FAILED"
    assert "OPENAI_API_KEY" in said["model server"].detail
    assert server.seen == []


async def test_azures_deployments_are_not_looked_for_in_its_list_of_models(
    server: SmallServer,
) -> None:
    mine = {"main": RoleSettings(model="my-deployment")}
    found = await examined(server, "azure", "/openai/v1", "k", **mine)
    assert [check.state for check in found.values()] == ["ok", "ok"]
