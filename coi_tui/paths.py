"""Where files live. ``COI_HOME`` puts data, config and cache under one folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

from coi_tui.private_files import make_private

APP = "coi-tui"


@dataclass(frozen=True)
class Paths:
    """The folders and files of one installation. Nothing is created by asking for it."""

    data: Path
    config: Path
    cache: Path

    @property
    def sessions(self) -> Path:
        return self.data / "sessions"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def library(self) -> Path:
        """What sessions have met."""
        return self.data / "library.db"

    @property
    def own_papers(self) -> Path:
        """The papers that the researcher imported."""
        return self.data / "my_papers.json"

    @property
    def imported_texts(self) -> Path:
        """The texts of the researcher's PDFs, a file each."""
        return self.data / "my_texts"

    @property
    def config_file(self) -> Path:
        return self.config / "config.toml"

    @property
    def prompts(self) -> Path:
        """A prompt file here replaces the built-in one of the same name."""
        return self.config / "prompts"

    @property
    def log(self) -> Path:
        return self.cache / "coi.log"


def make_ours_private(places: Paths) -> None:
    """Take the rights of others from the folders of an installation and from the files in them that
    hold what a person wrote."""
    folders = (
        places.data,
        places.config,
        places.cache,
        places.sessions,
        places.backups,
        places.imported_texts,
        places.prompts,
    )
    files = (
        places.library,
        places.own_papers,
        places.config_file,
        places.log,
    )
    make_private(*folders, *files)


def paths(environ: dict[str, str] | None = None) -> Paths:
    """The paths for this environment; ``COI_HOME`` wins over the platform's own places."""
    home = (os.environ if environ is None else environ).get("COI_HOME", "").strip()
    if home:
        root = Path(home).expanduser()
        return Paths(data=root / "data", config=root / "config", cache=root / "cache")
    dirs = PlatformDirs(APP, appauthor=False)
    return Paths(
        data=Path(dirs.user_data_dir),
        config=Path(dirs.user_config_dir),
        cache=Path(dirs.user_cache_dir),
    )
