#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every include goes in a direction that tools/layers.txt allows.

Includes are written from src/ or from the root, never with '..'. A folder without a line in
layers.txt is an error, so a new module cannot appear unnoticed.
"""

import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def read_rules():
    rules = {}
    for line in (ROOT / "tools/layers.txt").read_text().splitlines():
        module, colon, rest = line.partition("#")[0].partition(":")
        if colon:
            rules[module.strip()] = rest.split()
    return rules


def rules_of(here, rules):
    """The line of a folder: its own, or else the first whose pattern it matches."""
    if here in rules:
        return rules[here]
    return next((rules[module] for module in rules if fnmatch.fnmatch(here, module)), None)


def allowed(here, rules, file_name, target):
    if file_name.endswith("_cell.h") and not re.search(r"(^core/|_)cell\.h$", target):
        return False  # per-cell headers see core/cell.h and their own kind only
    folder = target.rpartition("/")[0]
    return folder in (here, "rill") or any(
        folder == rule or fnmatch.fnmatch(target, rule) for rule in rules)


def main():
    rules = read_rules()
    tops = {module.partition("/")[0] for module in rules} | {"src"}
    mistakes = []
    files = sorted(path for top in tops for path in (ROOT / top).rglob("*")
                   if path.suffix in (".c", ".h", ".cu", ".cuh", ".cpp"))
    for path in files:
        where = path.relative_to(ROOT)
        here = where.parent.as_posix().removeprefix("src/")
        own = rules_of(here, rules)
        if own is None:
            mistakes.append(f"{where}: add '{here}' to tools/layers.txt")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and not allowed(here, own, path.name, match[1]):
                mistakes.append(f"{where}:{number}: {here} may not include {match[1]}")
    print("\n".join(mistakes) or f"include directions: {len(files)} files, ok")
    return bool(mistakes)


if __name__ == "__main__":
    sys.exit(main())
