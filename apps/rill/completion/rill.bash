# SPDX-License-Identifier: MIT
# rill.bash - completion of rill for bash. Scene names come from "rill list --names".

_rill()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} words=
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W \
            "list run bench validate info help --help --version" -- "$current")
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
    run:--stats | validate:--report)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    run:--backend)
        mapfile -t COMPREPLY < <(compgen -W "cpu cuda" -- "$current")
        return
        ;;
    run:--time | run:--threads | run:--set)
        return
        ;;
    esac
    case $command in
    list) words="--names --help" ;;
    run)
        words="--output --time --threads --backend --stats --hash --set --quiet --help"
        [[ $current == -* ]] || words=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
        ;;
    bench) words="--json --help" ;;
    validate) words="--json --report --help" ;;
    info)
        words="--json --help"
        [[ $current == -* ]] || words=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
        ;;
    help) words="list run bench validate info" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    case $command in
    run | info)
        if [[ $current != -* ]]; then
            compopt -o filenames
            local pattern='*'
            [ "$command" = run ] && pattern='*.toml'
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
