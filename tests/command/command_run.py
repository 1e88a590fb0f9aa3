#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command `rill` from outside: run.py BINARY [unittest arguments].

Exit statuses, sentences, files and figures, as docs/command.md promises them. Every test works in
a folder of its own, which is removed afterwards.
"""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

BINARY = ""  # set by main()
HAS_PNG = True  # set by setUpModule()
LIMIT = 120  # seconds for any one call

COMMANDS = ["list", "run", "render", "view", "bench", "validate", "info"]

POND = """
title = "Pond"
description = "A block of water falls into a pond that a spring feeds."
duration = 0.5
frame = 0.05

[world]
nx = 40
ny = 24
cell_size = 0.5

[terrain]
kind = "flat"

[[terrain.shape]]
kind = "hill"
x = 10.0
y = 6.0
height = 1.5
radius = 2.0

[water]
level = 0.5

[[water.block]]
x0 = 0.0
y0 = 0.0
x1 = 5.0
y1 = 12.0
depth = 2.0

[[spring]]
x = 15.0
y = 6.0
rate = 0.5
radius = 1.0

[output]
every = 0.2
kinds = ["map"]
last = ["ply", "gltf"]
flow = "arrows"
map_depth = 2.0
map_speed = 4.0
"""

STATS_KEYS = """frame time steps ms_frame ms_solver ms_bodies ms_particles ms_waves ms_surface water
particles virtual sourced drained corrected ledger_error max_speed wet_cells hash initial substeps
max_depth capped speed_depth max_speed_x max_speed_y max_speed_layer max_froude max_froude_x
max_froude_y max_froude_layer full_pool_steps lumps_left_out slow_wave_steps falls_left_out""".split()


def setUpModule():
    """Finds out whether this build has libpng."""
    global HAS_PNG
    with tempfile.TemporaryDirectory(prefix="rill-cli-") as folder:
        (pathlib.Path(folder) / "pond.toml").write_text(POND)
        result = subprocess.run([BINARY, "run", "pond.toml", "--time", "0", "-o", "out"],
                                cwd=folder, capture_output=True, text=True, timeout=LIMIT,
                                check=False)
        HAS_PNG = "no libpng" not in result.stderr


class Case(unittest.TestCase):
    """A test with a folder, and with ways to call the command."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rill-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def rill(self, *arguments, environment=None, **more):
        return subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True,
                              text=True, errors="replace", timeout=LIMIT, check=False,
                              env={**os.environ, **(environment or {})}, **more)

    def done(self, *arguments, **more):
        """The call succeeds; its standard output."""
        result = self.rill(*arguments, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, *arguments, status=2, **more):
        """The call says one sentence and nothing else; the sentence."""
        before = self.listing()
        result = self.rill(*arguments, **more)
        if "this build has no GDAL" in result.stderr or "this build has no libpng" in result.stderr:
            status = 1  # it might be a good file
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Arill: [^\n]+\n\Z")
        self.assertEqual(self.listing(), before, "something was written")
        return result.stderr

    def listing(self):
        return sorted(str(path) for path in self.folder.rglob("*"))


class Usage(Case):
    def test_help_is_there_for_all_and_for_each(self):
        overview = self.done("--help")
        self.assertEqual(overview, self.done("help"))
        self.assertEqual(overview, self.done("-h"))
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", overview)
            text = self.done(command, "--help")
            self.assertIn(f"Usage: rill {command}", text)
            self.assertIn("--help", text)
            self.assertEqual(text, self.done("help", command))
            self.assertLessEqual(max(map(len, text.split("\n"))), 100)

    def test_help_of_run_names_every_option(self):
        text = self.done("run", "--help")
        for option in "-o --time --threads --backend --stats --hash --set --quiet".split():
            self.assertIn(option, text)

    def test_version(self):
        self.assertRegex(self.done("--version"), r"\Arill \d+\.\d+\.\d+\n\Z")

    def test_no_command_shows_the_help_on_standard_error(self):
        result = self.rill()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("Usage: rill", result.stderr)

    def test_an_unknown_command_is_answered_with_the_nearest(self):
        self.assertIn('did you mean "run"?', self.refused("rnu"))
        self.assertIn('did you mean "validate"?', self.refused("vallidate"))
        self.assertIn('did you mean "render"?', self.refused("redner", "x.toml"))
        self.assertIn('did you mean "list"?', self.refused("help", "lst"))
        self.assertIn('did you mean "--version"?', self.refused("--verson"))
        self.assertIn("unknown command", self.refused("x" * 5000))
        self.assertIn("unknown command", self.refused(""))

    def test_an_unknown_option_is_answered_with_the_nearest(self):
        self.assertIn("did you mean --time?", self.refused("run", "x", "--tiem", "3"))
        self.assertIn("did you mean --json?", self.refused("bench", "--jsno"))
        self.assertIn("did you mean --report?", self.refused("validate", "--reprot=x"))
        self.assertIn("--frobnicate", self.refused("info", "--frobnicate"))
        self.assertIn("-z", self.refused("list", "-z"))

    def test_missing_and_needless_arguments(self):
        self.assertIn("run needs a scene", self.refused("run"))
        self.assertIn("info needs a file", self.refused("info", "--json"))
        self.assertIn('"b"', self.refused("run", "a", "b"))
        self.assertIn("--time needs a value", self.refused("run", "a", "--time"))
        self.assertIn("--hash takes no value", self.refused("run", "a", "--hash=1"))
        self.assertIn('"x"', self.refused("list", "x"))

    def test_numbers_are_checked(self):
        for text in ("abc", "", "1x", "nan", "inf", "-inf", "0x10", "1e999"):
            self.assertIn(f'--time: "{text}" is not a number',
                          self.refused("run", "a", f"--time={text}"))
        self.assertIn("--time: -1 is too small", self.refused("run", "a", "--time", "-1"))
        for text in ("2.5", "x", ""):
            self.assertIn(f'--threads: "{text}" is not a whole number',
                          self.refused("run", "a", "--threads", text))
        self.assertIn("too small", self.refused("run", "a", "--threads", "0"))
        self.assertIn("too large", self.refused("run", "a", "--threads", "99999999999"))

    def test_back_ends(self):
        scene = self.write("pond.toml", POND)
        on_cpu = self.done("run", scene, "--hash", "--time", "0.3", "-q").splitlines()[-1]
        for name in ("cuda", "auto"):
            result = self.rill("run", scene, "--hash", "--time", "0.3", "-q", "--backend", name)
            if name == "auto" or result.returncode == 0:
                self.assertEqual(result.stdout.splitlines()[-1], on_cpu)
            else:
                self.assertIn("GPU", self.refused("run", scene, "--backend", name, status=1))
        self.assertIn("did you mean cuda?", self.refused("run", scene, "--backend", "cuad"))
        self.done("run", scene, "--backend", "cpu", "--time", "0.05")

    def test_control_characters_do_not_reach_the_terminal(self):
        self.assertNotIn("\x1b", self.refused("run", "\x1b[31mred\nline"))

    def test_a_full_disk_behind_standard_output_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([BINARY, "list", "--names"], stdout=full, text=True,
                                    stderr=subprocess.PIPE, timeout=LIMIT, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Arill: [^\n]+\n\Z")


class Run(Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write("pond.toml", POND)

    def test_ends_with_times_and_ledger(self):
        text = self.done("run", self.scene)
        for word in "sources solver bodies particles waves surface output frame".split():
            self.assertRegex(text, rf"(?m)^{word} +\d+ ")
        for word in "initial sourced drained corrected water particles virtual".split():
            self.assertRegex(text, rf"(?m)^{word} +\S+ m\^3 ")
        error = re.search(r"(?m)^error +(\S+) ", text)
        self.assertLess(float(error[1]), 1e-6)
        self.assertRegex(text, r"(?m)^grid 40 x 24 of 0.5 m, \d+ threads?, (c|avx2|avx512), \d+ steps"
                               r" in 10 frames, 0.5 s simulated in \S+ s: \S+ times real time$")
        self.assertNotIn("hash", text)

    def test_nothing_is_written_without_a_folder(self):
        before = self.listing()
        self.done("run", self.scene)
        self.assertEqual(self.listing(), before)

    def test_the_hash_is_the_last_line_and_the_same_for_all_threads_and_instruction_sets(self):
        hashes = set()
        for threads in (1, 2, 3):
            text = self.done("run", self.scene, "--hash", "--threads", str(threads))
            hashes.add(re.search(r"\nhash: ([0-9a-f]{16})\n\Z", text)[1])
        sets = 0
        for isa in ("c", "avx2", "avx512"):
            result = self.rill("run", self.scene, "--hash", environment={"RILL_ISA": isa})
            if result.returncode != 0:
                self.assertIn("which this processor lacks", result.stderr)
                continue
            sets += 1
            self.assertIn(f" {isa}, ", result.stdout)
            hashes.add(re.search(r"\nhash: ([0-9a-f]{16})\n\Z", result.stdout)[1])
        self.assertGreaterEqual(sets, 1)
        self.assertEqual(len(hashes), 1, hashes)

    def test_an_unknown_instruction_set_is_a_sentence(self):
        self.assertIn("mmx", self.refused("run", self.scene, "-o", "out", status=1,
                                          environment={"RILL_ISA": "mmx"}))

    def test_the_time_asked_for_is_met(self):
        stats = self.stats("--time", "0.12")
        self.assertEqual([round(frame["time"], 12) for frame in stats], [0.05, 0.1, 0.12])
        self.assertEqual(len(self.stats("--time", "0.15")), 3)
        self.assertEqual(len(self.stats("--time", "1e-9")), 1)
        self.assertIn("0 steps in 0 frames", self.done("run", self.scene, "--time", "0"))
        self.assertIn("frames", self.refused("run", self.scene, "--time", "1e14", "-o", "out"))

    def stats(self, *arguments):
        """The statistics of a run, frame by frame."""
        path = self.folder / "stats.jsonl"
        self.done("run", self.scene, "--stats", str(path), *arguments)
        # NaN and Infinity are not JSON, though Python would take them.
        return [json.loads(line, parse_constant=self.fail)
                for line in path.read_text().splitlines()]

    def test_statistics_have_an_object_a_frame(self):
        stats = self.stats()
        self.assertEqual([frame["frame"] for frame in stats], list(range(1, 11)))
        steps = 0
        for frame in stats:
            for key in STATS_KEYS:
                self.assertIn(key, frame)
            self.assertRegex(frame["hash"], r"\A[0-9a-f]{16}\Z")
            steps += frame["substeps"]
            self.assertEqual(frame["steps"], steps)
            self.assertGreaterEqual(frame["ms_frame"], frame["ms_solver"])
            self.assertGreater(frame["wet_cells"], 0)
            self.assertLess(frame["ledger_error"], 1e-6)
            left = frame["initial"] + frame["sourced"] - frame["drained"] + frame["corrected"]
            right = frame["water"] + frame["particles"] + frame["virtual"]
            self.assertAlmostEqual(left, right, delta=1e-6 * left)
        self.assertAlmostEqual(stats[-1]["sourced"], 0.5 * 0.5, places=6)
        self.assertEqual(len({frame["hash"] for frame in stats}), 10)

    def test_the_table_ends_with_the_fastest_water_and_its_place(self):
        last = self.stats()[-1]
        text = self.done("run", self.scene)
        for name, unit, key in (("speed", "m/s", "max_speed"), ("froude", "", "max_froude")):
            row = re.search(rf"(?m)^{name} +(\S+) +{unit} *the largest.*, at \((\S+), (\S+)\) m$", text)
            self.assertIsNotNone(row, text)
            self.assertAlmostEqual(float(row[1]), last[key], delta=1e-6 * last[key])
            self.assertEqual((float(row[2]), float(row[3])), (last[f"{key}_x"], last[f"{key}_y"]))
            self.assertTrue(0.0 < float(row[2]) < 20.0 and 0.0 < float(row[3]) < 12.0)
        self.assertRegex(self.done("run", self.scene, "--time", "0"), r"(?m)^speed +0 m/s +nothing moves$")

    def test_capped_frames_are_warned_about_once(self):
        result = self.rill("run", self.scene, "--hash", "--set", "world.max_step=0.0001", "--set",
                           "world.max_substeps=300")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\Arill: warning: 10 of 10 frames, the first at 0 s, [^\n]*"
                                        r"max_substeps is 300: waves in deep water [^\n]*a larger "
                                        r"world.max_substeps, a shorter frame or larger cells help\n\Z")
        self.assertNotIn("note: ", result.stdout)
        self.assertRegex(result.stdout, r"\nhash: [0-9a-f]{16}\n\Z")

    def test_a_scene_that_means_to_be_capped_gets_a_note_and_no_warning(self):
        result = self.rill("run", self.scene, "--hash", "--set", "world.max_substeps=1", "--set",
                           "world.max_step=0.04")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^note: 10 of 10 frames, .*\(max_substeps is 1\)")
        self.assertRegex(result.stdout, r"\nhash: [0-9a-f]{16}\n\Z")
        self.assertNotIn("note: ", self.done("run", self.scene))

    def test_limits_that_bind_are_warned_about(self):
        crowd = self.write("crowd.toml", POND.replace('[output]', """
[particles]
max_particles = 50

[[emitter]]
position = [5, 5, 1]
particle = "foam"
discs = 1000

[output]"""))
        result = self.rill("run", crowd, "--hash", "--stats", "stats.json")
        self.assertEqual(result.returncode, 0)
        lines = (self.folder / "stats.json").read_text().splitlines()
        full = [json.loads(line)["full_pool_steps"] for line in lines]
        self.assertTrue(0 < full[0] < full[-1], full)
        self.assertRegex(result.stderr, r"\Arill: warning: the pool of particles was full in "
                                        rf"{full[-1]} steps: [^\n]* a larger particles.max_particles,"
                                        r" or larger particles \(radius, deposit\), help\n\Z")
        self.assertRegex(result.stdout, r"\nhash: [0-9a-f]{16}\n\Z")
        calm = self.stats()[-1]
        for name in ("full_pool_steps", "lumps_left_out", "slow_wave_steps", "falls_left_out"):
            self.assertEqual(calm[name], 0)
        self.assertEqual(self.rill("run", self.scene).stderr, "")

    def test_statistics_and_files_do_not_change_the_water(self):
        plain = self.done("run", self.scene, "--hash").splitlines()[-1]
        stats = self.stats("-o", "out")
        self.assertEqual(plain, "hash: " + stats[-1]["hash"])

    def test_statistics_on_standard_output_are_alone_there(self):
        result = self.rill("run", self.scene, "--stats", "-", "--hash")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(len([json.loads(line) for line in result.stdout.splitlines()]), 10)
        self.assertIn("ledger", result.stderr)
        self.assertIn("\nhash: ", result.stderr)

    def test_statistics_that_cannot_be_written_are_a_failure(self):
        self.refused("run", self.scene, "--stats", "no/such/folder", status=1)
        if os.path.exists("/dev/full"):
            self.assertIn("/dev/full", self.refused("run", self.scene, "--stats", "/dev/full",
                                                    status=1))

    def test_overrides_change_one_key_each(self):
        text = self.done("run", self.scene, "--set", "world.cell_size=0.25", "--set=duration=0.1",
                         "--set", "spring=[]", "--set", "terrain.shape=[]",
                         "--set", "water.block=[]")
        self.assertIn("grid 40 x 24 of 0.25 m", text)
        self.assertIn(" 0.1 s simulated", text)
        self.assertRegex(text, r"(?m)^sourced +0 ")
        self.assertIn("gravity", self.refused("run", self.scene, "--set", "world.gravty=3"))
        self.refused("run", self.scene, "--set", "world.gravity")
        self.refused("run", self.scene, "--set", "world.gravity=heavy")

    def test_progress_is_quiet_for_short_runs_into_a_pipe(self):
        self.assertEqual(self.rill("run", self.scene).stderr, "")


class Files(Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write("pond.toml", POND)

    def test_each_moment_has_its_files(self):
        self.done("run", self.scene, "-o", "a/b/out")
        names = sorted(path.name for path in (self.folder / "a/b/out").iterdir())
        # At 0, 0.2, 0.4 and, being the end, 0.5 s.
        maps = ["map_0000.png", "map_0001.png", "map_0002.png", "map_0003.png"]
        self.assertEqual(names, maps * HAS_PNG + ["surface_0003.glb", "surface_0003.ply"])
        for path in (self.folder / "a/b/out").glob("*.png"):
            self.check_png(path.read_bytes())
        self.check_ply((self.folder / "a/b/out/surface_0003.ply").read_bytes())
        self.check_glb((self.folder / "a/b/out/surface_0003.glb").read_bytes())

    def test_the_first_moment_and_every_frame_can_be_written(self):
        meshes = ["--set", 'output.kinds=["ply"]', "--set", "output.every=0.05"]
        self.done("run", self.scene, "-o", "start", "--time", "0", *meshes)
        self.done("run", self.scene, "-o", "all", *meshes)
        found = [path.read_bytes() for path in sorted((self.folder / "all").glob("*.ply"))]
        self.assertEqual(len(found), 11)
        self.assertEqual(len(set(found)), 11)
        self.assertEqual(found[0], (self.folder / "start/surface_0000.ply").read_bytes())

    def test_an_existing_folder_is_used(self):
        (self.folder / "out").mkdir()
        self.done("run", self.scene, "-oout/", "--time", "0")
        self.assertTrue((self.folder / "out/surface_0000.ply").exists())

    def test_a_kind_that_the_build_lacks_is_warned_about_once(self):
        if HAS_PNG:
            self.skipTest("this build has libpng")
        result = self.rill("run", self.scene, "-o", "out")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\Arill: warning: [^\n]+\n\Z")

    def test_a_folder_that_cannot_be_made_is_a_failure(self):
        self.write("file", "x")
        self.assertIn("file", self.refused("run", self.scene, "-o", "file", status=1))
        self.assertIn("file", self.refused("run", self.scene, "-o", "file/below", status=1))
        self.refused("run", self.scene, "-o", "")
        self.refused("run", self.scene, "-o", "x" * 5000)

    def test_a_geotiff_has_four_bands_or_a_warning(self):
        result = self.rill("run", self.scene, "-o", "out", "--set", 'output.kinds=["geotiff"]')
        self.assertEqual(result.returncode, 0, result.stderr)
        tiffs = sorted(path.name for path in (self.folder / "out").glob("*.tif"))
        if result.stderr:  # a build without GDAL
            self.assertRegex(result.stderr, r"\Arill: warning: [^\n]+\n\Z")
            self.assertEqual(tiffs, [])
            return
        self.assertEqual(tiffs, [f"water_{k:04}.tif" for k in range(4)])
        self.assertIn((self.folder / "out/water_0000.tif").read_bytes()[:4],
                      (b"II*\0", b"MM\0*", b"II+\0"))

    def check_png(self, data):
        """Signature, checksums and the amount of picture data."""
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        at, pixels, kinds = 8, b"", []
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            check, = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
            self.assertEqual(zlib.crc32(kind + body), check)
            kinds.append(kind)
            if kind == b"IHDR":
                width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            if kind == b"IDAT":
                pixels += body
            at += 12 + size
        self.assertEqual((kinds[0], kinds[-1]), (b"IHDR", b"IEND"))
        channels = {0: 1, 2: 3, 6: 4}[colour]
        self.assertEqual(len(zlib.decompress(pixels)), height * (1 + width * channels * bits // 8))

    def check_ply(self, data):
        header, _, body = data.partition(b"end_header\n")
        vertices = int(re.search(rb"element vertex (\d+)", header)[1])
        faces = int(re.search(rb"element face (\d+)", header)[1])
        self.assertGreater(faces, 100)
        self.assertEqual(len(body), vertices * 40 + faces * 13)
        corners = [struct.unpack_from("<BIII", body, vertices * 40 + k * 13) for k in range(faces)]
        self.assertTrue(all(n == 3 and max(rest) < vertices for n, *rest in corners))

    def check_glb(self, data):
        magic, version, size, json_size, kind = struct.unpack_from("<4sII I4s", data)
        self.assertEqual((magic, version, size, kind), (b"glTF", 2, len(data), b"JSON"))
        content = json.loads(data[20:20 + json_size])
        self.assertEqual(content["asset"]["version"], "2.0")
        primitive = content["meshes"][0]["primitives"][0]
        self.assertGreater(content["accessors"][primitive["indices"]]["count"], 300)


class BrokenScenes(Case):
    """Every mistake is one sentence and status 2, and leaves no folder behind."""

    def broken(self, text, *words):
        scene = self.write("broken.toml", text)
        sentence = self.refused("run", scene, "-o", "out", "--stats", "stats.jsonl")
        for word in words:
            self.assertIn(word, sentence)
        self.assertEqual(self.refused("info", scene), sentence)

    def test_cut_short_anywhere(self):
        self.broken(POND[:POND.index("cell_size") + 11], "broken.toml")
        self.broken(POND[:POND.index('"map"') + 3], "broken.toml")
        self.broken(POND[:POND.index("title") + 10], "broken.toml")
        self.broken("", "broken.toml")

    def test_wrong_types_and_keys_are_named_with_line_and_nearest(self):
        self.broken(POND.replace("nx = 40", 'nx = "forty"'), "broken.toml:8", "nx")
        self.broken(POND.replace("flow =", "flwo ="), "broken.toml:42", "flow")
        self.broken(POND.replace("duration = 0.5", "duration = [1, 2]"), "broken.toml:4")
        self.broken(POND.replace("[water]", "[watr]"), "water")
        self.broken("world = 3\n" + POND)

    def test_numbers_out_of_range(self):
        self.broken(POND.replace("cell_size = 0.5", "cell_size = nan"), "cell_size")
        self.broken(POND.replace("level = 0.5", "level = inf"), "level")
        self.broken(POND.replace("nx = 40", "nx = -40"), "nx")
        self.broken(POND.replace("duration = 0.5", "duration = -1"), "duration")
        self.broken(POND.replace("duration = 0.5", "duration = nan"), "duration")
        self.broken(POND.replace("rate = 0.5", "rate = nan"), "rate")

    def test_a_million_times_a_million_cells(self):
        self.broken(POND.replace("nx = 40", "nx = 1000000").replace("ny = 24", "ny = 1000000"))
        self.broken(POND.replace("nx = 40", "nx = 65536").replace("ny = 24", "ny = 65536"))
        self.broken(POND.replace("nx = 40", "nx = 99999999999999999999"))

    def test_nesting_a_hundred_thousand_deep(self):
        self.broken("x = " + "[" * 100000)
        self.broken("x = " + "[" * 100000 + "]" * 100000)
        self.broken("x = " + "{a = " * 100000)
        self.broken("[" + "a." * 100000 + "a]\n")

    def test_bytes_that_are_no_text(self):
        self.broken(b"\xff\xfe\x00\x01" * 100)
        self.broken(b"\x00" * 1000)
        self.broken(os.urandom(4096) + b"\xff")

    def test_missing_and_broken_ground(self):
        ground = POND[:POND.index("[world]")] + '[terrain]\nkind = "file"\nfile = "dem.asc"\n'
        self.broken(ground, "dem.asc")
        self.write("dem.asc", "ncols 4\nnrows 4\ncellsize 1\nxllcorner 0\nyllcorner 0\n1 2 3\n")
        self.broken(ground, "dem.asc")
        self.write("dem.asc", "this is no raster")
        self.broken(ground, "dem.asc")
        self.write("dem.asc", b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
        self.broken(ground, "dem.asc")
        self.write("dem.asc", "ncols 1000000\nnrows 1000000\ncellsize 1\n1 2 3\n")
        self.broken(ground, "dem.asc")

    def test_scenes_that_are_not_there(self):
        name = self.done("list", "--names").split()[0]
        self.assertIn(name, self.refused("run", name[:-1] + "x" + name[-1]))
        self.refused("run", "no/such/scene.toml", "-o", "out")
        self.refused("run", str(self.folder), "-o", "out")
        self.refused("run", "", "-o", "out")


class Interrupts(Case):
    """A run that would last for hours is stopped."""

    def setUp(self):
        super().setUp()
        self.scene = self.write("pond.toml", POND)
        self.arguments = [BINARY, "run", self.scene, "--time", "36000", "--threads", "2", "-o",
                          "out", "--stats", "stats.jsonl", "--set", "output.every=1",
                          "--set", 'output.kinds=["ply"]', "--hash"]

    def wait_for(self, name, process):
        end = time.monotonic() + LIMIT
        while not (self.folder / name).exists() and time.monotonic() < end:
            self.assertIsNone(process.poll(), "the run has ended")
            time.sleep(0.01)
        self.assertTrue((self.folder / name).exists())

    def test_stops_cleanly_and_keeps_what_was_written(self):
        for number, word in ((signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            with subprocess.Popen(self.arguments, cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as process:
                # 36001 moments need five digits to keep their order.
                self.wait_for("out/surface_00002.ply", process)
                process.send_signal(number)
                output, errors = process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 1)
            self.assertRegex(errors, rf"rill: {word} after frame \d+ of 720000, at \S+ of 36000 s")
            self.assertIn("ledger", output)
            lines = (self.folder / "stats.jsonl").read_text().splitlines()
            frames = [json.loads(line) for line in lines]
            self.assertEqual(output.splitlines()[-1], "hash: " + frames[-1]["hash"])
            self.assertEqual([p for p in self.listing() if p.endswith(".part")], [])

    def test_a_terminal_shows_a_bar(self):
        try:
            leader, follower = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no terminal to be had here: {reason}")
        with subprocess.Popen(self.arguments, cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=follower) as process:
            os.close(follower)
            seen, end = b"", time.monotonic() + LIMIT
            while b"ms/frame" not in seen and time.monotonic() < end:
                if select.select([leader], [], [], 1.0)[0]:
                    seen += os.read(leader, 4096)
            process.send_signal(signal.SIGINT)
            while process.poll() is None or select.select([leader], [], [], 0)[0]:
                try:
                    seen += os.read(leader, 4096)
                except OSError:  # the other end is closed
                    break
            process.wait(timeout=LIMIT)
        os.close(leader)
        self.assertRegex(seen, rb"pond \[[#-]+\] +\d+ %  \S+ of 3.6e\+04 s  \S+ ms/frame  .* left")
        self.assertIn(b"\r\x1b[Krill: interrupted", seen)


def main():
    global BINARY
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("usage: run.py BINARY [unittest arguments]")
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
