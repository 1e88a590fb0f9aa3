#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that one name means one thing, and that no folder is too full to be read.

No two files of the tree share a name; no two types, and no two functions with external linkage, of
the library, the renderer, the programs and the tests share one; no folder holds more than MOST_FILES
source files. A function that has one declaration and several definitions of which a build takes one
(a device and its absence, an instruction set a file) is one function: it is told from two functions
by its parameters and result, which are the same.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = {".c", ".h", ".cu", ".cuh", ".cpp"}
SOURCES = CODE | {".glsl", ".py"}
SAME_EVERYWHERE = {"CMakeLists.txt", "README.md"}
MOST_FILES = 32
SHADERS = "render/shaders"  # one file a stage, all of one kind
ONE_OF = "src/core/cell_"  # headers of which a translation takes one: an instruction set each

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
FUNCTION = re.compile(r"^((?:[A-Za-z_]\w*[ \t\n*]+)+?\**)([A-Za-z_]\w*)\(([^;{}]*)\)\s*\{",
                      re.MULTILINE)


def tracked():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [pathlib.Path(name) for name in names if name and (ROOT / name).is_file()]


def check_files(files):
    places = collections.defaultdict(list)
    for path in files:
        if not path.name.startswith(".") and path.name not in SAME_EVERYWHERE:
            places[path.name].append(path.as_posix())
    return [f"{name}: a file each of {', '.join(sorted(found))}"
            for name, found in sorted(places.items()) if len(found) > 1]


def check_folders(files):
    counts = collections.Counter(path.parent.as_posix() for path in files
                                 if path.suffix in SOURCES)
    return [f"{folder}: {count} source files, more than {MOST_FILES}"
            for folder, count in sorted(counts.items())
            if count > MOST_FILES and folder != SHADERS]


def without_bodies(text):
    """The text at the outermost level: what stands in braces is left out, the braces stay."""
    out, depth = [], 0
    for character in text:
        if character == "{":
            depth += 1
            if depth == 1:
                out.append(character)
        elif character == "}":
            depth -= 1
            if depth == 0:
                out.append(character)
        elif depth == 0:
            out.append(character)
    return "".join(out)


def outermost(path):
    text = COMMENT.sub(" ", (ROOT / path).read_text())
    text = STRING.sub('""', text)
    text = re.sub(r'extern\s+""\s*\{', " ", text)  # of C++; its brace closes without harm
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
    return without_bodies(text)


def types_of(text):
    for match in re.finditer(r"\btypedef\b([^;{}]*)(\{\})?([^;{}]*);", text):
        if not match[2] and re.match(r"\s*(struct|union|enum)\s+(\w+)\s+\2\s*$", match[1]):
            continue  # a declaration; the definition is found by its tag
        tail = match[3] if match[2] else match[1]
        found = (re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", tail) or
                 re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*$", tail))
        if found:
            yield found[1]
    for match in re.finditer(r"(typedef\s+)?\b(?:struct|union|enum)\s+(\w+)\s*\{", text):
        if not match[1]:
            yield match[2]


def kind_of(parameter):
    """A parameter without its name."""
    words = re.sub(r"\[[^\]]*\]", "*", re.sub(r"\s+", " ", parameter)).strip()
    return re.sub(r"(?<=[\s*&])\w+(?=\**$)", "", words).replace(" ", "")


def functions_of(text):
    for match in FUNCTION.finditer(text):
        before, name, parameters = match[1], match[2], match[3]
        if "static" not in before.split() and name.startswith(("rl_", "rill_")):
            kinds = tuple(kind_of(part) for part in parameters.split(","))
            yield name, (re.sub(r"\s+", " ", before).strip(), kinds)


def check_symbols(files):
    types, functions = collections.defaultdict(list), collections.defaultdict(dict)
    for path in files:
        if path.suffix not in CODE or path.parts[0] in ("tests", "fuzz", "examples"):
            continue
        text = outermost(path)
        for name in types_of(text):
            if name.startswith(("rl_", "rill_")) and not path.as_posix().startswith(ONE_OF):
                types[name].append(path.as_posix())
        for name, signature in functions_of(text):
            functions[name].setdefault(signature, []).append(path.as_posix())
    mistakes = [f"{name}: a type each of {', '.join(found)}"
                for name, found in sorted(types.items()) if len(found) > 1]
    for name, signatures in sorted(functions.items()):
        if len(signatures) > 1:
            found = ", ".join(sorted(place for places in signatures.values() for place in places))
            mistakes.append(f"{name}: a function each of {found}")
    return mistakes


def main():
    files = tracked()
    mistakes = check_files(files) + check_folders(files) + check_symbols(files)
    print("\n".join(mistakes) or f"names: {len(files)} files, ok")
    return bool(mistakes)


if __name__ == "__main__":
    sys.exit(main())
