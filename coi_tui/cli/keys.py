"""``coi keys``: every key of every screen, and a person's own."""

from __future__ import annotations

import click

from coi_tui.cli.output import say, tell


@click.command()
@click.option("--check", is_flag=True, help="Only say what is wrong with the key file; exit code 1 when something is.")
@click.option("--write", is_flag=True, help="Write a key file in which every line is a comment, if there is none.")
def keys(check: bool, write: bool) -> int:
    """List every key by screen, with the name of its action for the key file; changed ones are marked."""
    from coi_tui.config_file import write_text
    from coi_tui.paths import paths
    from coi_tui.widgets.actions import USUAL
    from coi_tui.widgets.actions.keymap import applied, read_keymap, template

    file = paths().keys_file
    if write:
        if file.exists():
            tell(f"{file} is there already and was not changed.")
            return 1
        write_text(file, template(USUAL))
        tell(f"Written to {file}.")
        return 0
    found = read_keymap(file, USUAL)
    for problem in found.problems:
        tell(problem)
    if not check:
        for place, actions in applied(found, USUAL).items():
            for a in actions:
                mark = "*" if f"{place}.{a.id}" in found.changed else " "
                say(f"{mark} {a.show if a.keys else '':9} {f'{place}.{a.id}':32} {a.label}: {a.help}")
    elif not found.problems:
        say(f"{file}: no clash." if file.exists() else f"There is no key file {file}; the usual keys hold.")
    return 1 if found.problems else 0
