# SPDX-License-Identifier: MIT
# rill.fish - completion of rill for fish. Scene names come from "rill list --names",
# keys of scenes from "rill list --parameters --names".

set -l commands list run render view bench validate info help

function __rill_scene_names
    command rill list --names 2>/dev/null
end

function __rill_keys
    command rill list --parameters --names 2>/dev/null | string replace -r '$' '='
end

complete -c rill -f
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a list -d 'the built-in scenes'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a run -d 'let a scene run'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a render -d 'draw a scene'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a view -d 'a window on a scene'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a bench -d 'the speed tables'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a validate -d 'exact solutions'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a info -d 'what a file holds'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -a help -d 'help about a command'
complete -c rill -n "not __fish_seen_subcommand_from $commands" -s V -l version -d 'show the version'
complete -c rill -s h -l help -d 'show help'

complete -c rill -n '__fish_seen_subcommand_from help' -a 'list run render view bench validate info'
complete -c rill -n '__fish_seen_subcommand_from list' -l names -d 'print the names alone'
complete -c rill -n '__fish_seen_subcommand_from list' -l printed -d 'list the scenes with the choices that the papers print'
complete -c rill -n '__fish_seen_subcommand_from list' -l overlays -d 'print the overlays'
complete -c rill -n '__fish_seen_subcommand_from list' -l parameters -d 'list the parameters of scenes'
complete -c rill -n '__fish_seen_subcommand_from list' -l json -d 'the parameters as a JSON array'

complete -c rill -n '__fish_seen_subcommand_from run' -a '(__rill_scene_names)' -d scene
complete -c rill -n '__fish_seen_subcommand_from run' -k -a '(__fish_complete_suffix .toml)'
complete -c rill -n '__fish_seen_subcommand_from run' -s o -l output -r \
    -a '(__fish_complete_directories)' -d 'write files into this folder'
complete -c rill -n '__fish_seen_subcommand_from run' -l time -x -d 'seconds to simulate'
complete -c rill -n '__fish_seen_subcommand_from run' -l threads -x -d 'threads'
complete -c rill -n '__fish_seen_subcommand_from run render view bench' -l backend -x \
    -a 'cpu cuda auto' -d 'where to compute'
complete -c rill -n '__fish_seen_subcommand_from run' -l stats -r -F -d 'a JSON object a frame'
complete -c rill -n '__fish_seen_subcommand_from run' -l hash -d 'print the hash of the final state'
complete -c rill -n '__fish_seen_subcommand_from run' -l set -x \
    -a '(__rill_keys)' -d 'override one key of the scene'
complete -c rill -n '__fish_seen_subcommand_from run' -s q -l quiet -d 'show no progress'

complete -c rill -n '__fish_seen_subcommand_from render view' -a '(__rill_scene_names)' -d scene
complete -c rill -n '__fish_seen_subcommand_from render view' -k -a '(__fish_complete_suffix .toml)'
complete -c rill -n '__fish_seen_subcommand_from render view' -l size -x \
    -a '640x360 1280x720 1920x1080 3840x2160' -d 'pixels'
complete -c rill -n '__fish_seen_subcommand_from render view' -l threads -x -d 'threads'
complete -c rill -n '__fish_seen_subcommand_from render view' -l set -x \
    -a '(__rill_keys)' -d 'override one key of the scene'
complete -c rill -n '__fish_seen_subcommand_from view' -l script -r -F \
    -d 'play mouse and keys from a file'
complete -c rill -n '__fish_seen_subcommand_from render' -s o -l output -r -F \
    -d 'NAME.mp4, NAME.webm, NAME.png or DIR/'
complete -c rill -n '__fish_seen_subcommand_from render' -l fps -x -d 'pictures per second of film'
complete -c rill -n '__fish_seen_subcommand_from render' -l time -x -d 'simulated time at the end'
complete -c rill -n '__fish_seen_subcommand_from render' -l from -x \
    -d 'simulated time at the first picture'
complete -c rill -n '__fish_seen_subcommand_from render' -l speed -x \
    -d 'simulated seconds per second of film'
complete -c rill -n '__fish_seen_subcommand_from render' -l camera -x -a 'auto scene orbit along' \
    -d 'where it stands'
complete -c rill -n '__fish_seen_subcommand_from render' -l samples -x -d 'pictures averaged'
complete -c rill -n '__fish_seen_subcommand_from render' -l overlay -x \
    -a '(command rill list --overlays 2>/dev/null)' -d 'painted over the water'
complete -c rill -n '__fish_seen_subcommand_from render' -l hash \
    -d 'print the hash of the final state'
complete -c rill -n '__fish_seen_subcommand_from render' -s q -l quiet -d 'show no progress'

complete -c rill -n '__fish_seen_subcommand_from bench validate' -l json -d 'print a JSON array'
complete -c rill -n '__fish_seen_subcommand_from validate' -l report -r -F -d 'write an HTML report'

complete -c rill -n '__fish_seen_subcommand_from info' -F -a '(__rill_scene_names)'
complete -c rill -n '__fish_seen_subcommand_from info' -l json -d 'print one JSON object'
