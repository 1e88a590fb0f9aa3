# SPDX-License-Identifier: MIT
# rill.bash - completion of rill for bash. Scene names come from "rill list --names",
# keys of scenes from "rill list --parameters --names".

_rill()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} words=
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W \
            "list run render view bench validate info help --help --version" -- "$current")
        return
    fi
    # Bash takes an equals sign for a word of its own: --backend = cu
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $command:$previous in
    run:-o | run:--output)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    run:--stats | validate:--report | render:-o | render:--output | view:--script)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    run:--backend | render:--backend | view:--backend | bench:--backend)
        mapfile -t COMPREPLY < <(compgen -W "cpu cuda auto" -- "$current")
        return
        ;;
    render:--overlay)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" list --overlays 2>/dev/null)" -- "$current")
        return
        ;;
    render:--camera)
        mapfile -t COMPREPLY < <(compgen -W "auto scene orbit along" -- "$current")
        return
        ;;
    render:--size | view:--size)
        mapfile -t COMPREPLY < <(compgen -W "640x360 1280x720 1920x1080 3840x2160" -- "$current")
        return
        ;;
    run:--set | render:--set | view:--set)
        compopt -o nospace
        words=$("${COMP_WORDS[0]}" list --parameters --names 2>/dev/null)
        mapfile -t COMPREPLY < <(compgen -S = -W "$words" -- "$current")
        return
        ;;
    run:--time | run:--threads | render:--time | render:--threads | render:--fps | \
        render:--from | render:--speed | render:--samples | view:--threads)
        return
        ;;
    esac
    case $command in
    list) words="--names --printed --overlays --parameters --json --help" ;;
    run)
        words="--output --time --threads --backend --stats --hash --set --quiet --help"
        [[ $current == -* ]] || words=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
        ;;
    render)
        words="--output --size --fps --time --from --speed --camera --samples --overlay --threads"
        words="$words --backend --hash --set --quiet --help"
        [[ $current == -* ]] || words=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
        ;;
    view)
        words="--size --threads --backend --set --script --help"
        [[ $current == -* ]] || words=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
        ;;
    bench) words="--json --backend --help" ;;
    validate) words="--json --report --help" ;;
    info)
        words="--json --help"
        [[ $current == -* ]] || words=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
        ;;
    help) words="list run render view bench validate info" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    case $command in
    run | render | view | info)
        if [[ $current != -* ]]; then
            compopt -o filenames
            local pattern='*.toml'
            [ "$command" = info ] && pattern='*'
            local file
            while IFS= read -r file; do
                # shellcheck disable=SC2053 # the right side is a pattern
                if [ -d "$file" ] || [[ $file == $pattern ]]; then
                    COMPREPLY+=("$file")
                fi
            done < <(compgen -f -- "$current")
        fi
        ;;
    esac
}

complete -F _rill rill
