"""What ``coi doctor`` says about the kind of model server."""

from __future__ import annotations

import pytest

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings
from coi_tui.session.doctor import Finding, models
from tests.support.standins import StandIn
from tests.support.standins.kinds import Kind

BIG = {"main": RoleSettings(model="big"), "reader": RoleSettings()}


async def examined(
    kind: Kind, profile: str, key: str | None = None, path: str = ""
) -> dict[str, Finding]:
    async with StandIn(kind) as server:
        settings = Settings(
            llm=LlmSettings.model_validate(
                {"base_url": server.url + path, "profile": profile, **BIG}
            )
        )
        return {check.what: check for check in await models(settings, Keys(llm=key))}


@pytest.mark.parametrize(
    ("profile", "name"),
    [("ollama", "Ollama"), ("lmstudio", "LM Studio"), ("llamacpp", "llama.cpp"), ("vllm", "vLLM")],
)
async def test_local_servers_are_named_and_need_no_key(profile: str, name: str) -> None:
    said = await examined(Kind(), profile)
    assert said["model server"].state == "ok"
    assert said["model server"].detail.startswith(f"{name} (set by llm.profile)")
    assert "no key set" in said["model server"].detail
    assert said["language model"].state == "ok"


async def test_a_missing_key_is_told_where_one_is_needed() -> None:
    kind = Kind()
    said = await examined(kind, "openrouter")
    assert said["model server"].state == "FAILED"
    assert "OPENAI_API_KEY" in said["model server"].detail
    assert kind.seen == []


async def test_azures_deployments_are_not_looked_for_in_its_list_of_models() -> None:
    kind = Kind(root="/openai/v1", key="Bearer k")
    async with StandIn(kind) as server:
        llm = LlmSettings(
            base_url=f"{server.url}/openai/v1",
            profile="azure",
            main=RoleSettings(model="my-deployment"),
            reader=RoleSettings(),
        )
        found = await models(Settings(llm=llm), Keys(llm="k"))
    assert [check.state for check in found] == ["ok", "ok"]
