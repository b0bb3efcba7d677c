"""The length budget as a person gives it on the command line."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.config import CoiSettings
from coi_tui.model.errors import UsageError


def with_shares(base: CoiSettings, given: Mapping[str, int]) -> CoiSettings:
    """The settings with what was given; a length without shares splits evenly, the odd place going forward.

    Raises UsageError when both shares and the anchor do not fit into the length.
    """
    length = given.get("length", base.length)
    room = length - 1
    forward, backward = given.get("forward"), given.get("backward")
    if forward is None and backward is None:
        forward, backward = (base.forward, base.backward) if "length" not in given else (room - room // 2, room // 2)
    elif forward is None:
        forward = max(0, room - (backward or 0))
    elif backward is None:
        backward = max(0, room - forward)
    if (forward or 0) + (backward or 0) > room:
        raise UsageError(
            f"{forward} forward and {backward} backward with the anchor make more than {length} papers.",
            "Give a longer --length or smaller shares.",
        )
    return base.model_copy(update={**given, "length": length, "forward": forward, "backward": backward})
