"""``python scripts/audit.py``: known vulnerabilities of the packages locked and of those installed
here; exit 1 where there is one.

The list is ``scripts/advisories.toml``, so that it works without a network. Where the network
allows it, ask the databases instead, as the workflow does: ``pip-audit -r requirements.lock
--no-deps --disable-pip``.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent


def locked(text: str) -> dict[str, Version]:
    """The versions of a lock file, by package."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            found[canonicalize_name(requirement.name)] = Version(
                next(iter(requirement.specifier)).version
            )
    return found


def installed() -> dict[str, Version]:
    """The versions of what this Python has installed."""
    return {canonicalize_name(found.name): Version(found.version) for found in distributions()}


def findings(versions: Mapping[str, Version], advisories: Iterable[Mapping[str, str]]) -> list[str]:
    """A sentence for each version that an advisory names."""
    return [
        f"{entry['package']} {versions[entry['package']]} has {entry['id']} ({entry['about']}); {entry['fixed']} mends it."
        for entry in advisories
        if entry["package"] in versions and versions[entry["package"]] < Version(entry["fixed"])
    ]


def main() -> int:
    advisories = tomllib.loads((ROOT / "scripts" / "advisories.toml").read_text(encoding="utf-8"))[
        "advisory"
    ]
    lock = locked((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    bad = sorted({*findings(lock, advisories), *findings(installed(), advisories)})
    print(
        "\n".join(bad)
        or f"{len(lock)} locked packages: none with one of the {len(advisories)} advisories of scripts/advisories.toml."
    )
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
