// SPDX-License-Identifier: MIT
// render.c - `rill render`: parses the arguments. A build without a renderer parses them too, so
// that its message can name what it lacks.
#include "apps/rill/render.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"

static const char render_more[] =
    "SCENE is a built-in name (\"rill list\") or the path of a .toml file. FILM is out.mp4 or\n"
    "out.webm, made with ffmpeg; out.png, one picture at the end; or a folder, DIR/, that gets\n"
    "frame-00000.png and so on.\n"
    "\n"
    "CAMERA is one of\n"
    "  scene              as the scene says; default where it says something\n"
    "  auto               all of the world, from the south and above\n"
    "  orbit[:DEGREES]    around the world, degrees per second of film; default 6\n"
    "  along[:METRES]     down a river, from where it rises to where it leaves, over all of the\n"
    "                     film; METRES over the water (eight cells)\n"
    "  [TIME@]X,Y,Z:TX,TY,TZ[:DEGREES]\n"
    "                     position X,Y,Z and target TX,TY,TZ, metres, with a field of view\n"
    "                     of DEGREES (45). Given several times with rising TIMEs: a path.\n"
    "\n"
    "A picture shows the last frame of the scene that is not after its moment; for a slow motion\n"
    "that moves smoothly, make the frames shorter: --speed 0.1 --set frame=0.0016.\n"
    "It ends with a table: milliseconds per picture by part. Ctrl-C ends the film: what was "
    "filmed\n"
    "until then is kept.\n"
    "\n"
    "Exit status: 0 done, 1 failed or stopped, 2 wrong usage or bad input.";

static option_result parse(int argc, char **argv, render_options *o, option_list *operands)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, "FILM", "NAME.mp4, NAME.webm, NAME.png or a folder, DIR/.",
         &o->output, 0, 0},
        {"size", 0, OPTION_SIZE, "WxH", "Pixels. Default: 1280x720.", o->size, 1, 16384},
        {"fps", 0, OPTION_NUMBER, "F", "Pictures per second of film. Default: 60.", &o->fps, 0.001,
         1000},
        {"time", 0, OPTION_NUMBER, "S", "Simulated time at the end. Default: as the scene says.",
         &o->play.time, 0.0, 1e15},
        {"from", 0, OPTION_NUMBER, "S", "Simulated time at the first picture. Default: 0.",
         &o->from, 0.0, 1e15},
        {"speed", 0, OPTION_NUMBER, "F",
         "Simulated seconds per second of film: above 1 a time\nlapse, below slow motion. "
         "Default: 1.",
         &o->speed, 1e-6, 1e6},
        {"camera", 0, OPTION_LIST, "CAMERA", "See below. Default: scene, or else auto.", &o->camera,
         0, 0},
        {"samples", 0, OPTION_COUNT, "N",
         "Average N pictures against jagged edges, 1 to 64.\nDefault: 4 for a .png, otherwise 1.",
         &o->samples, 1, 64},
        {"overlay", 0, OPTION_TEXT, "WHAT",
         "Paint WHAT (\"rill list --overlays\") over the water.\nDefault: none.", &o->overlay, 0,
         0},
        play_threads_option(&o->play),
        play_backend_option(&o->play.backend),
        play_hash_option(&o->hash),
        play_set_option(&o->play),
        play_quiet_option(&o->quiet),
    };
    const option_syntax syntax = {
        .command = "render",
        .summary = "Lets the water of a scene run and films it: a video, a folder of pictures or "
                   "one picture.",
        .operands = "SCENE -o FILM",
        .operand = "a scene",
        .least = 1,
        .most = 1,
        .more = render_more,
        .options = options,
        .option_count = (int)(sizeof options / sizeof options[0]),
    };
    return options_parse(&syntax, argc, argv, operands);
}

static int run(const render_options *o)
{
    if (o->output == NULL)
        return error_wrong("render needs a film to write: rill render SCENE -o out.mp4");
#ifdef RILL_HAS_RENDER
    return render_film(o);
#else
    return error_failed("this build has no renderer; cmake -D RILL_RENDER=ON brings it");
#endif
}

int command_render(int argc, char **argv)
{
    render_options o = {.play = play_default_options(),
                        .size = {1280, 720},
                        .fps = 60.0,
                        .speed = 1.0,
                        .overlay = "none"};
    option_list operands;
    const option_result result = parse(argc, argv, &o, &operands);
    int status = result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (result == OPTIONS_GO) {
        o.play.scene = operands.items[0];
        status = run(&o);
    }
    options_free_list(&operands);
    options_free_list(&o.play.set);
    options_free_list(&o.camera);
    return status;
}
