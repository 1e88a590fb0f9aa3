#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps the tables of keys in docs/scenes.md equal to the library's table of parameters.

    scene_keys.py RILL          says which lines are out of date
    scene_keys.py RILL --fix    rewrites them

A line of a table whose first cell is one key that the parameters of that section have is theirs.
Such lines stand together, in the order of the parameters; all other lines are left alone.
"""

import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "scenes.md"


def number(value, otherwise=""):
    """A number as people write it: 1e6, 1e-4, 1/60, −5."""
    if value is None:
        return otherwise
    if abs(value - 1 / 60) < 1e-12:
        return "1/60"
    text = f"{value:.10g}"
    mantissa, _, exponent = f"{value:.9e}".partition("e")
    if value and (abs(value) < 1e-3 or (abs(value) >= 1e6 and float(mantissa) in (1, -1))):
        text = f"{float(mantissa):g}e{int(exponent)}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def span(row):
    if row["type"] == "flag":
        return "`true`, `false`"
    if row["type"] == "enum":
        return ", ".join(f'`"{word}"`' for word in row["words"])
    if row["type"] == "seed":
        return "0 to 2⁶³−1"
    low, high = number(row["low"]), number(row["high"])
    if row["low"] is None or row["high"] is None:
        return "" if row["low"] is None else f"from {low}"
    if row["least"]:
        return f"0, or {number(row['least'])} to {high}"
    if row["above"]:
        return f"above {low}, to {high}"
    return f"±{high}" if row["low"] == -row["high"] else f"{low} to {high}"


def usual(row):
    if row["in_scenes"] or row["automatic"]:
        return re.sub(r"^needed", "*needed*", row["in_scenes"] or row["automatic"])
    values = row["default"]
    if row["type"] == "flag":
        return "`true`" if values[0] else "`false`"
    if row["type"] == "enum":
        return f'`"{row["words"][int(values[0])]}"`'
    if row["count"] > 1:
        return "`[" + ", ".join(number(v) for v in values) + "]`"
    return number(values[0], "none")


def raised(text):
    return text.replace("^(1/3)", "^⅓").replace("^2", "²").replace("^3", "³")


def meaning(row):
    text = raised(re.sub(r"'([a-z-]+)'", r'`"\1"`', row["help"]))
    old = (row["alias"] or row["name"]).split(".")[-1]
    if old != row["name"].split(".")[-1]:
        text += f" (older name: `{old}`)"
    for word in row["old_words"]:
        text += f' (older word: `"{word}"`)'
    return text


def line_of(row):
    cells = [f"`{row['name'].split('.')[-1]}`", meaning(row), raised(row["unit"]), span(row), usual(row)]
    return re.sub(r"  +", " ", "| " + " | ".join(cells) + " |")


def section_of(heading):
    if heading.startswith("## At the top"):
        return ""
    found = re.match(r"#+ \[+([a-z_.]+)\]+", heading)
    return found.group(1) if found else None


def sections(lines):
    """The page cut before every heading."""
    parts = [[]]
    for line in lines:
        if line.startswith("#"):
            parts.append([])
        parts[-1].append(line)
    return parts


def rewrite_section(lines, rows):
    def own(line):
        first = re.match(r"\| `([a-z_0-9]+)` \|", line)
        return bool(first) and first.group(1) in rows

    table = next((n for n, line in enumerate(lines) if line.startswith("| ---")), None)
    if table is None:
        sys.exit(f"docs/scenes.md: no table below '{lines[0]}'")
    at = next((n for n, line in enumerate(lines) if own(line)), table + 1)
    rest = [line for line in lines[at:] if not own(line)]
    return lines[:at] + [line_of(row) for row in rows.values()] + rest


def rewrite(lines, rows):
    """The page as it should be."""
    tables = {}
    for row in rows:
        table, _, key = row["name"].rpartition(".")
        if not row["host"]:
            tables.setdefault(table, {})[key] = row
    page = []
    for part in sections(lines):
        own = tables.pop(section_of(part[0]), None) if part else None
        page += rewrite_section(part, own) if own else part
    if tables:
        sys.exit(f"docs/scenes.md: no section for [{'], ['.join(tables)}]")
    return page


def main():
    answer = subprocess.run([sys.argv[1], "list", "--parameters", "--json"], check=True,
                            capture_output=True, text=True).stdout
    lines = PAGE.read_text().split("\n")
    page = rewrite(lines, json.loads(answer))
    if page == lines:
        return 0
    if "--fix" in sys.argv[2:]:
        PAGE.write_text("\n".join(page))
        return 0
    for line in page:
        if line not in lines:
            print(f"docs/scenes.md lacks: {line}")
    print("docs/scenes.md is not what the table of parameters says: tools/scene_keys.py RILL --fix")
    return 1


sys.exit(main())
