#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands `rill render` and `rill view` from outside: render.py BINARY [unittest arguments].

Small films of a small pond. What one picture looks like is judged elsewhere; here, which pictures
there are, of which moment, and what happens when something is missing or comes to an early end.
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import command_run
from command_run import LIMIT, POND, Case

IN_CI = "CI" in os.environ
SMALL = ("--size", "160x90", "-q")
LACKING = ""  # why this build or machine cannot draw; set by setUpModule()


def setUpModule():
    """Finds out whether this build and machine can draw."""
    global LACKING
    with tempfile.TemporaryDirectory(prefix="rill-cli-") as folder:
        (pathlib.Path(folder) / "pond.toml").write_text(POND)
        result = subprocess.run([command_run.BINARY, "render", "pond.toml", "--time", "0", "-o", "a.png",
                                 *SMALL], cwd=folder, capture_output=True, text=True,
                                timeout=LIMIT, check=False)
        if result.returncode == 1:
            LACKING = result.stderr.strip()
            if IN_CI and "this build has no" not in LACKING:
                raise RuntimeError(LACKING)


class RenderCase(Case):
    def setUp(self):
        super().setUp()
        if LACKING:
            self.skipTest(LACKING)
        self.scene = self.write("pond.toml", POND)

    def need_ffmpeg(self):
        if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
            self.assertFalse(IN_CI, "ffmpeg or ffprobe is missing")
            self.skipTest("ffmpeg or ffprobe is missing, so videos are not tested")

    def render(self, output, *arguments):
        return self.done("render", self.scene, "-o", output, *SMALL, *arguments)

    def pictures(self, folder, *arguments):
        """The files of a film in a folder, in their order."""
        self.render(folder + "/", *arguments)
        files = sorted((self.folder / folder).iterdir())
        self.assertEqual([path.name for path in files],
                         [f"frame-{k:05d}.png" for k in range(len(files))])
        return [path.read_bytes() for path in files]

    def picture(self, *arguments):
        self.render("one.png", *arguments)
        return (self.folder / "one.png").read_bytes()

    def probe(self, name):
        """Width, height, rate and frames of a video, by decoding it."""
        result = subprocess.run(
            ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
             "stream=width,height,avg_frame_rate,nb_read_frames", "-of", "csv=p=0", name],
            cwd=self.folder, capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.strip()


class Usage(RenderCase):
    def wrong(self, sentence, *arguments, output="out.mp4", **more):
        self.assertIn(sentence, self.refused("render", self.scene, "-o", output, *arguments,
                                             **more))

    def test_help_names_every_option(self):
        text = self.done("render", "--help")
        for option in ("-o --size --fps --time --from --speed --camera --samples --overlay "
                       "--threads --hash --set --quiet").split():
            self.assertIn(option, text)

    def test_what_is_needed(self):
        self.assertIn("render needs a scene", self.refused("render"))
        self.assertIn("-o out.mp4", self.refused("render", self.scene))
        self.assertIn("no-such-scene", self.refused("render", "no-such-scene", "-o", "out.png"))

    def test_sizes(self):
        for text in ("", "640", "640x", "x480", "640x480x2", "640*480", "-640x480", "1e3x480",
                     "640x 480", "99999999x480"):
            self.wrong(f'--size: "{text}" is not a size', f"--size={text}")
        self.wrong("--size: 0 is not possible", "--size=0x90")
        self.wrong("--size: 20000 is not possible", "--size=160x20000")
        self.wrong("--size: 161x90 is not possible for a video", "--size=161x90")
        self.wrong("must be even", "--size=160x91", output="out.webm")

    def test_numbers(self):
        self.wrong("--fps", "--fps", "0")
        self.wrong("--speed", "--speed", "-1")
        self.wrong("--samples", "--samples", "65")
        self.wrong("--samples", "--samples", "0")
        self.wrong("--from: 2 s is after the end, 0.5 s", "--from", "2")
        self.wrong("pictures", "--speed", "0.000001", "--fps", "1000")

    def test_overlays(self):
        self.wrong("did you mean speed?", "--overlay", "sped")
        self.wrong("none, depth, speed, wetness, substeps or births", "--overlay", "q")
        listed = self.rill("list", "--overlays").stdout.split()
        self.assertEqual(listed, ["none", "depth", "speed", "wetness", "substeps", "births"])

    def test_cameras(self):
        self.wrong("did you mean orbit?", "--camera", "orbt")
        self.wrong("orbit:DEGREES", "--camera", "orbit:fast")
        self.wrong("orbit:DEGREES", "--camera", "orbit:")
        self.wrong("1,2,3:4,5", "--camera", "1,2,3:4,5")
        self.wrong("stands where it looks", "--camera", "1,2,3:1,2,3")
        self.wrong("no camera of its own", "--camera", "scene")
        self.wrong("part of a path", "--camera", "auto", "--camera", "1,2,3:4,5,6")
        self.wrong("rising times", "--camera", "1,2,3:4,5,6", "--camera", "2,2,3:4,5,6")
        self.wrong("rising times", "--camera", "5@1,2,3:4,5,6", "--camera", "3@2,2,3:4,5,6")

    def test_places(self):
        for output in ("out.avi", "out", "", ".mp4"):
            self.wrong(".mp4, .webm or .png", output=output)
        self.write("file", "")
        for output in ("no/such/out.mp4", "no/such/out.png", "file/out.webm", "file/"):
            self.wrong("cannot be written", output=output)

    def test_a_bad_scene_leaves_nothing_behind(self):
        self.wrong("nonsense", "--set", "nonsense=1", output="out/")

    def test_a_missing_ffmpeg_is_said_before_anything_is_simulated(self):
        (self.folder / "empty").mkdir()
        self.wrong("ffmpeg", "--time", "100000", status=1, environment={"PATH": "empty"})


class Pictures(RenderCase):
    def test_a_picture_has_its_size_and_a_summary(self):
        text = self.render("out.png", "--size", "150x91")
        data = (self.folder / "out.png").read_bytes()
        self.assertEqual(struct.unpack(">II", data[16:24]), (150, 91))
        self.assertRegex(text, r"film +out\.png\npictures +1 of 150 x 91 pixels\n")
        for part in ("simulate", "frame data", "draw", "encode", "all"):
            self.assertRegex(text, rf"\n{part} +\d+\.\d+ +\d+\.\d+")
        self.assertEqual(self.listing(), sorted([self.scene, str(self.folder / "out.png")]))

    def test_the_hash_is_that_of_rill_run(self):
        for seconds in ("0.32", "0.5"):
            want = self.done("run", self.scene, "--time", seconds, "--hash").splitlines()[-1]
            self.assertRegex(want, r"\Ahash: [0-9a-f]{16}\Z")
            for more in (("out.png",), ("out/", "--fps", "7", "--threads", "3"),
                         ("out/", "--speed", "0.5", "--fps", "10", "--camera", "orbit")):
                text = self.render(*more, "--time", seconds, "--hash")
                self.assertEqual(text.splitlines()[-1], want)

    def test_a_camera_flies_along_a_river(self):
        for camera in ("along", "along:120"):
            self.done("render", "river-dem", "-o", f"{len(camera)}/", *SMALL, "--fps", "2", "--time",
                      "1.5", "--set", "river.bootstrap=1", "--camera", camera)
            pictures = sorted((self.folder / f"{len(camera)}").iterdir())
            self.assertEqual(len({picture.read_bytes() for picture in pictures}), 3)
        text = self.refused("render", self.scene, "-o", "out.png", *SMALL, "--camera", "along")
        self.assertIn("along needs a scene with a river", text)
        text = self.refused("render", self.scene, "-o", "out.png", *SMALL, "--camera", "along:-3")
        self.assertIn("along:METRES", text)

    def test_capped_frames_are_warned_about(self):
        result = self.rill("render", self.scene, "-o", "out.png", *SMALL, "--time", "0.1", "--set",
                           "world.max_step=0.0001")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\Arill: warning: 2 of 2 frames, the first at 0 s, [^\n]*\n\Z")

    def test_a_film_has_as_many_pictures_as_its_seconds_ask_for(self):
        text = self.render("a/")
        self.assertIn("30 of 160 x 90 pixels, 0.5 s at 60 a second", text)
        self.assertEqual(len(list((self.folder / "a").iterdir())), 30)
        self.assertEqual(len(self.pictures("b", "--fps", "4", "--time", "0.3")), 2)
        self.assertEqual(len(self.pictures("c", "--fps", "20", "--from", "0.3")), 4)
        self.assertEqual(len(self.pictures("d", "--fps", "20", "--speed", "0.5")), 20)
        self.assertEqual(len(self.pictures("e", "--time", "0")), 1)

    def test_pictures_show_the_last_frame_that_is_not_after_their_moment(self):
        each = self.pictures("each", "--fps", "20")  # one for each frame of 0.05 s
        self.assertEqual(len(set(each)), 10)
        twice = self.pictures("twice", "--fps", "40")
        self.assertEqual(twice, [each[k // 2] for k in range(20)])
        self.assertEqual(self.pictures("half", "--fps", "10"), each[::2])
        self.assertEqual(self.pictures("lapse", "--fps", "10", "--speed", "2.5"), each[::5])
        self.assertEqual(self.pictures("slow", "--fps", "20", "--speed", "0.5"), twice)
        odd = self.pictures("odd", "--fps", "12")  # at 0, 0.083, 0.167, 0.25 ...
        self.assertEqual(odd, [each[k] for k in (0, 1, 3, 5, 6, 8)])

    def test_what_went_before_does_not_show(self):
        each = self.pictures("each", "--fps", "20")
        self.assertEqual(self.pictures("late", "--fps", "20", "--from", "0.2"), each[4:])
        self.assertEqual(self.picture("--time", "0.3", "--samples", "1"), each[6])

    def test_samples_and_overlays_change_the_picture(self):
        plain = self.picture("--samples", "1")
        self.assertNotEqual(self.picture(), plain)
        self.assertEqual(self.picture("--samples", "4"), self.picture())
        self.assertNotEqual(self.picture("--samples", "1", "--overlay", "depth"), plain)
        self.assertEqual(self.picture("--samples", "1", "--overlay", "none"), plain)
        self.assertIn("speed, 0 to 4 m/s", self.render("one.png", "--overlay", "speed"))


class Cameras(RenderCase):
    STAND = "10,-12,9:10,6,0"

    def test_the_default_is_the_scene_or_else_all_of_it(self):
        overview = self.picture()
        self.assertEqual(self.picture("--camera", "auto"), overview)
        stand = self.picture("--camera", self.STAND)
        self.assertNotEqual(stand, overview)
        self.scene = self.write("own.toml", POND + "[[view.camera]]\nposition = [10, -12, 9]\n"
                                                   "target = [10, 6, 0]\n")
        self.assertEqual(self.picture(), stand)
        self.assertEqual(self.picture("--camera", "scene"), stand)
        self.assertEqual(self.picture("--camera", "auto"), overview)

    def test_a_path_starts_and_ends_at_its_keys_and_moves_between(self):
        other = "20,-12,9:10,6,0"
        path = ("--camera", "0.1@" + self.STAND, "--camera", "0.4@" + other, "--samples", "1")
        for seconds, want in (("0.1", self.STAND), ("0.4", other), ("0.5", other)):
            self.assertEqual(self.picture("--time", seconds, *path),
                             self.picture("--time", seconds, "--samples", "1", "--camera", want))
        middle = self.picture("--time", "0.25", *path)
        for stand in (self.STAND, other):
            self.assertNotEqual(middle, self.picture("--time", "0.25", "--samples", "1",
                                                     "--camera", stand))

    def test_an_orbit_turns_with_the_film(self):
        still = ("--set", "water.level=-9", "--set", "spring=[]", "--set", "water.block=[]")
        turning = self.pictures("turning", "--fps", "8", "--camera", "orbit:720", *still)
        self.assertEqual(len(turning), 4)  # a quarter turn each
        self.assertEqual(len(set(turning)), 4)
        same = self.pictures("same", "--fps", "8", "--camera", "orbit:0", *still)
        self.assertEqual(same, [turning[0]] * 4)


class Videos(RenderCase):
    def setUp(self):
        super().setUp()
        self.need_ffmpeg()

    def test_videos_decode_to_their_pictures(self):
        for name in ("out.mp4", "out.webm"):
            text = self.render(name, "--fps", "20")
            self.assertEqual(self.probe(name), "160,90,20/1,10")
            self.assertIn("10 of 160 x 90 pixels, 0.5 s at 20 a second", text)
        self.assertEqual([path for path in self.listing() if path.endswith(".part")], [])

    def test_a_video_that_is_there_is_replaced_when_the_new_one_is_complete(self):
        self.write("out.mp4", "old")
        self.refused("render", self.scene, "-o", "out.mp4", "--set", "nonsense=1")
        self.assertEqual((self.folder / "out.mp4").read_text(), "old")
        self.render("out.mp4", "--fps", "10")
        self.assertEqual(self.probe("out.mp4"), "160,90,10/1,5")

    def test_an_ffmpeg_that_dies_is_one_sentence(self):
        # It passes the rehearsal and dies in the film.
        script = ('#!/bin/sh\nif [ -e once ]; then echo "No space left" >&2; exit 1; fi\n'
                  "cat > /dev/null; : > once\n")
        (self.folder / "bin").mkdir()
        path = pathlib.Path(self.write("bin/ffmpeg", script))
        path.chmod(0o755)
        result = self.rill("render", self.scene, "-o", "out.mp4", *SMALL,
                           environment={"PATH": f"bin:{os.environ['PATH']}"})
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"\Arill: ffmpeg failed: No space left\n\Z")
        self.assertEqual([p for p in self.listing() if "out.mp4" in p], [])


class Interrupts(RenderCase):
    """A film that would last for hours is stopped."""

    def stop(self, output, number, seen, *arguments, environment=None):
        """Sends a signal to the whole group, as a terminal does, once `seen` says it is time."""
        with subprocess.Popen([command_run.BINARY, "render", self.scene, "-o", output, "--time", "36000",
                               "--fps", "20", *SMALL, *arguments], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              start_new_session=True,
                              env={**os.environ, **(environment or {})}) as process:
            end = time.monotonic() + LIMIT
            while not seen() and time.monotonic() < end:
                self.assertIsNone(process.poll(), "the film has ended")
                time.sleep(0.01)
            os.killpg(process.pid, number)
            output, errors = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 1)
        self.assertEqual([path for path in self.listing() if path.endswith(".part")], [])
        return output, errors

    def test_a_video_ends_early_and_plays(self):
        self.need_ffmpeg()
        # An encoder that counts: a line for the rehearsal, another when five pictures are through.
        (self.folder / "bin").mkdir()
        script = ("#!/bin/sh\n"
                  f"(head -c {5 * 160 * 90 * 3}; echo >> count; cat) | "
                  f"{shlex.quote(shutil.which('ffmpeg'))} \"$@\"\n")
        pathlib.Path(self.write("bin/ffmpeg", script)).chmod(0o755)
        count = self.folder / "count"
        output, errors = self.stop("out.mp4", signal.SIGINT,
                                   lambda: count.exists() and count.stat().st_size > 1, "--hash",
                                   environment={"PATH": f"bin:{os.environ['PATH']}"})
        found = re.fullmatch(r"rill: interrupted after picture (\d+) of 720000, at \S+ of 36000 s; "
                             r"what was filmed is kept\n", errors)
        self.assertIsNotNone(found, errors)
        self.assertGreaterEqual(int(found[1]), 5)
        self.assertEqual(self.probe("out.mp4"), f"160,90,20/1,{found[1]}")
        self.assertIn(f"{found[1]} of 160 x 90 pixels", output)
        self.assertRegex(output.splitlines()[-1], r"\Ahash: [0-9a-f]{16}\Z")

    def test_pictures_stay(self):
        third = self.folder / "out" / "frame-00002.png"
        _, errors = self.stop("out/", signal.SIGTERM, third.exists)
        found = re.match(r"rill: terminated after picture (\d+) of", errors)
        self.assertEqual(len(list((self.folder / "out").iterdir())), int(found[1]))

    def test_before_the_first_picture_there_is_no_film(self):
        self.need_ffmpeg()
        for output, sign in (("out/", "out"), ("out.mp4", "out.mp4.part")):
            _, errors = self.stop(output, signal.SIGINT, (self.folder / sign).exists,
                                  "--from", "35999")
            self.assertIn("interrupted before the first picture", errors)
            self.assertEqual(self.listing(), [self.scene])


class View(Case):
    def test_wrong_usage_is_said_without_a_window(self):
        self.assertIn("view needs a scene", self.refused("view"))
        self.assertIn("--size", self.refused("view", "x", "--size", "big"))
        self.assertIn("did you mean --script?", self.refused("view", "x", "--scirpt", "y"))

    def test_help_names_every_option(self):
        text = self.done("view", "--help")
        for option in "--size --threads --set --script".split():
            self.assertIn(option, text)


class Lacking(Case):
    """What a build without renderer or window says."""

    def test_which_option_brings_it(self):
        for command, option in ((("render", "x", "-o", "a.png"), "RILL_RENDER"),
                                (("view", "x"), "RILL_WINDOW")):
            result = self.rill(*command, environment={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
            if "this build has no" in result.stderr:
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, rf"\Arill: [^\n]*{option}=ON[^\n]*\n\Z")


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("usage: render.py BINARY [unittest arguments]")
    command_run.BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
