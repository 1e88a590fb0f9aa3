#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes CUDA as C++ for the emulator of tests/gpu/emulator.

    translate.py SOURCE_FOLDER OUTPUT_FOLDER

Every .cu and .cuh of SOURCE_FOLDER is written to the same place under OUTPUT_FOLDER, line by line; a
.cu becomes a .cpp. What C++ has no words for is rewritten: launches, shared variables, __noinline__
(which the headers of C++ use by that name). Functions of the device become static: the linker of the
host would keep one of two with the same name that were compiled with different definitions. Files
that would come out the same are left alone, so that nothing is compiled again.
"""

import pathlib
import re
import sys

LAUNCH = re.compile(r"<<<")
DEVICE = re.compile(r"^(template <.*> )?((?:__host__ )?__device__)", re.MULTILINE)
SHARED = re.compile(r"(extern\s+)?__shared__\s+(__align__\(\d+\)\s+)?([^;]*);")
TYPE = re.compile(r"((?:unsigned\s+)?(?:long\s+long|[\w:]+))\s+(.*)", re.DOTALL)


def split(text):
    """Splits at commas that are outside all brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def begin_of_kernel(text, end):
    """The place where the name of the kernel before `end` begins, with its template arguments."""
    at = end
    if text[at - 1] == ">":
        depth = 0
        while True:
            at -= 1
            depth += (text[at] == ">") - (text[at] == "<")
            if depth == 0:
                break
    while re.match(r"[\w:]", text[at - 1]):
        at -= 1
    return at


def translate_launches(text):
    while match := LAUNCH.search(text):
        begin = begin_of_kernel(text, match.start())
        end = text.index(">>>", match.end())
        kernel = text[begin:match.start()]
        config = text[match.end():end]
        call = f"rl_emulated_call({config}, [](const auto &...rl_given) {{ {kernel}(rl_given...); }})"
        text = text[:begin] + call + text[end + 3:]
    return text


def shared_variable(kind, declarator):
    name, dimensions = re.fullmatch(r"(\w+)\s*((?:\[.*\])?)", declarator, re.DOTALL).groups()
    return (f"typedef {kind} rl_type_{name}{dimensions}; "
            f"static rl_emulated_slot rl_slot_{name}(sizeof(rl_type_{name})); "
            f"rl_type_{name} &{name} = *(rl_type_{name} *)rl_slot_{name}.find();")


def translate_shared(match):
    kind, declarators = TYPE.fullmatch(match[3]).groups()
    if match[1]:
        name = declarators.partition("[")[0]
        return f"{kind} *const {name} = ({kind} *)rl_emulated_dynamic_memory();"
    return " ".join(shared_variable(kind, one) for one in split(declarators))


def without_comments(text):
    """Comments may name what is rewritten; they become spaces."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)


def translate(path):
    text = SHARED.sub(translate_shared, without_comments(path.read_text()))
    text = DEVICE.sub(r"\1static \2", text)
    text = text.replace("__noinline__", "__attribute__((noinline))")
    return f'#line 1 "{path}"\n{translate_launches(text)}'


def main():
    source, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    for path in sorted(source.rglob("*.cu*")):
        name = path.relative_to(source)
        target = output / (name.with_suffix(".cpp") if path.suffix == ".cu" else name)
        text = translate(path)
        if not target.exists() or target.read_text() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)


if __name__ == "__main__":
    main()
