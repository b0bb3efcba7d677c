"""The kinds of model server: how each is recognised, and what each is asked."""

from collections.abc import Iterator
from typing import get_args

import pytest

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings
from coi_tui.model.errors import ServiceError
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.services.llm.servers import PROFILES, server_of
from coi_tui.session.doctor import Finding, models
from tests.llm.server import Server, chat, client, error, request
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


@pytest.mark.parametrize(
    ("address", "profile"),
    [
        ("", "openai"),
        ("https://api.openai.com/v1", "openai"),
        ("https://NAME.openai.azure.com", "azure"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://192.168.1.7:11434", "ollama"),
        ("http://127.0.0.1:1234", "lmstudio"),
        ("http://localhost:8080/v1", "llamacpp"),
        ("http://gpu:8000/v1", "vllm"),
        ("http://model.example:8080", "compatible"),
        ("https://model.example:8000/v1", "compatible"),
        ("http://localhost:9999", "compatible"),
    ],
)
def test_a_server_is_recognised_by_its_address(address: str, profile: str) -> None:
    assert server_of(LlmSettings(base_url=address)).profile.id == profile


def test_every_profile_can_be_set_and_every_name_that_can_be_set_is_one() -> None:
    names = set(get_args(LlmSettings.model_fields["profile"].annotation)) - {""}
    assert names == set(PROFILES)


async def test_openai_gets_the_newer_name_of_the_limit_and_an_older_gateway_the_older() -> None:
    said = {"message": "Unknown parameter: max_completion_tokens", "param": None, "code": None}
    server = Server(error(400, said), chat())
    await client(server, profile="openai").complete(request())
    first, second = server.bodies
    assert first["max_completion_tokens"] == second["max_tokens"] == 300


async def test_without_a_key_that_is_needed_nothing_is_sent() -> None:
    model = OpenAICompatible(LlmSettings(profile="openai"), None)
    with pytest.raises(ServiceError, match="OpenAI needs an API key, and none is set") as caught:
        await model.complete(request())
    assert caught.value.kind == "refused"
