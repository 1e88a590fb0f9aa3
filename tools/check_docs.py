#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that what the documentation names exists.

Relative links resolve, with their headings; pictures are there; every path of the tree (src/..., `pipes_rows.c`,
`swe_*.cuh`) names at least one file. Code that docs/tour.md quotes is compared with the files that it is from.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = "include|src|scene|render|apps|bench|validation|fuzz|scenes|examples|tests|docs|tools|cmake|scripts"
CODE = "c|h|cu|cuh|cpp|glsl|py|cmake"
TREE_PATH = re.compile(rf"(?<![\w./-])(?:{TOP})/[\w./*-]*[\w*/]")
CODE_NAME = re.compile(rf"[\w./*-]+\.(?:{CODE}|\*)")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def tracked():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name and (ROOT / name).exists()]


def exists(name, page, files):
    """A path from the root, from a source folder, from the page's folder, or a bare file name; '*' is a wildcard."""
    places = ["", "src/", "include/", "src/solvers/", "src/gpu/", str(page.parent.relative_to(ROOT)) + "/"]
    for place in places:
        path = place + name.rstrip("/")
        if "*" in name:
            if any(fnmatch.fnmatch(file, path) for file in files):
                return True
        elif (ROOT / path).exists():
            return True
    return "/" not in name and any(fnmatch.fnmatch(file.rsplit("/", 1)[-1], name) for file in files)


def headings(page):
    """The anchors of a page, as GitHub makes them."""
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text())
    titles = re.findall(r"(?m)^#+ (.*)$", text)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_links(page, text):
    for number, line in enumerate(text.split("\n"), 1):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path) if path else page
            if not file.exists():
                yield f"{number}: the link {target} leads nowhere"
            elif anchor and file.suffix == ".md" and anchor not in headings(file):
                yield f"{number}: {path or 'this page'} has no heading {anchor}"


def check_paths(page, text, files):
    for number, line in enumerate(text.split("\n"), 1):
        names = set(TREE_PATH.findall(LINK.sub("]", line)))
        for span in re.findall(r"`([^`]+)`", line):
            if CODE_NAME.fullmatch(span):
                names.add(span)
        for name in sorted(names):
            if not exists(name, page, files):
                yield f"{number}: {name} does not exist"


def known_words():
    """The built-in scenes, the tests and the keys of scenes, by their names."""
    read = lambda pattern: "\n".join(path.read_text() for path in sorted(ROOT.glob(pattern)))
    scenes = {path.stem for path in (ROOT / "scenes").glob("*.toml")}
    printed = set(re.findall(r'\{"(paper-[\w-]+)"', read("scene/printed.c")))
    tests = set(re.findall(r"(?m)^TEST\((\w+)\)", read("tests/**/*.c")))
    table = read("src/world/parameters_table.c") + read("scene/view.c")
    return scenes | printed, tests, table


def check_papers(text):
    """In the tables of docs/papers.md with the columns scene, test and key, all three exist."""
    scenes, tests, table = known_words()
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 6:
            inside = False
        elif cells[2] == "scene":
            inside = True
        elif inside and not set(line) <= set("|- "):
            spans = [re.findall(r"`([^`]+)`", cell) for cell in cells]
            yield from (f"{number}: no scene is called {name}" for name in spans[2] if name not in scenes)
            yield from (f"{number}: no test is called {name}" for name in spans[3] if name not in tests)
            for name in spans[4]:
                section, _, key = name.rpartition(".")
                if section and not re.search(rf"\({name}\b|[A-Z]\({key}\b", table):
                    yield f"{number}: no key is called {name}"
            if not spans[2] or not spans[3]:
                yield f"{number}: needs a scene and a test"


def check_quotes(page, text):
    """A block of C after a line that ends with (from `FILE`): its lines stand in that file, in this order. The sign … in a
    line stands for anything, a line of dots for any lines."""
    for match in re.finditer(r"from `([^`]+)`\):?\n\n```c\n(.*?)^```", text, re.S | re.M):
        number = text.count("\n", 0, match.start()) + 1
        source = ROOT / match[1]
        if not source.exists():
            yield f"{number}: {match[1]} does not exist"
            continue
        squeeze = lambda s: " ".join(s.split())
        rest = squeeze(source.read_text())
        for line in match[2].split("\n"):
            wanted = squeeze(line)
            if wanted in ("", "..."):
                continue
            found = re.search(".{0,80}?".join(re.escape(part) for part in wanted.split("…")), rest)
            if found is None:
                yield f"{number}: {match[1]} no longer has, in this place: {wanted}"
                break
            rest = rest[found.end():]


def main():
    files = tracked()
    pages = [ROOT / name for name in files if name.endswith(".md")]
    mistakes = []
    for page in pages:
        text, where = page.read_text(), page.relative_to(ROOT).as_posix()
        found = list(check_links(page, text)) + list(check_quotes(page, text))
        if where != "CHANGELOG.md":  # tells of files as they were
            found += check_paths(page, text, files)
        if where == "docs/papers.md":
            found += check_papers(text)
        mistakes += [f"{where}:{mistake}" for mistake in found]
    print("\n".join(mistakes) or f"docs: {len(pages)} pages, ok")
    return bool(mistakes)


if __name__ == "__main__":
    sys.exit(main())
