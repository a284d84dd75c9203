
# bash splits words at @ and :, which @group:Home has. This function joins the parts, completes the whole word, and removes
# the parts before the last from the results, since these replace the last part only.
__reach_line() {
    local -a words=()
    local line="${COMP_LINE}" head='' space word
    local -i current=0 last=-1 index
    for index in "${!COMP_WORDS[@]}"; do
        word="${COMP_WORDS[index]}"
        space="${line%%"${word}"*}"
        line="${line:${#space} + ${#word}}"
        if ((index > 0)) && [[ -z "${space}" && -n "${word}" ]] && [[ "${word}" = [@:]* || "${words[last]}" = *[@:] ]]; then
            ((index == COMP_CWORD)) && head="${words[last]}"
            words[last]+="${word}"
        else
            words+=("${word}")
            last+=1
        fi
        ((index == COMP_CWORD)) && current=last
    done

    # bash replaces what follows the last break that has no backslash.
    local parts="${head}"
    # Except for @, as in user@host.
    [[ "${2}" = @* ]] && parts="${parts%@}"
    [[ -z "${2}" && "${COMP_WORDS[COMP_CWORD]}" = [@:]* ]] && parts+="${COMP_WORDS[COMP_CWORD]}"
    word="${parts}${2}"
    [[ "${word#\\}" = @* ]] && word="${word//\\/}"
    if [[ "${words[1]-}" = help ]] && ((current == 2)); then
        local -ar commands=($(compgen -A function _reach_))
        COMPREPLY=($(compgen -W "${commands[*]#_reach_}" -- "${2}"))
        return 0
    fi
    # The default command, if the first word is an option or a target.
    if [[ "${words[1]-}" = @([-@\\]*|*[.:/]*) ]]; then
        words=("${words[0]}" dashboard "${words[@]:1}")
        current+=1
    fi
    local -a COMP_WORDS=("${words[@]}")
    local -i COMP_CWORD="${current}"
    _reach "${1}" "${word}" "${COMP_WORDS[COMP_CWORD - 1]}"

    local isTarget=false
    [[ "${word}" = @* || "${COMPREPLY[0]-}" = @* ]] && isTarget=true
    for index in "${!COMPREPLY[@]}"; do
        COMPREPLY[index]="${COMPREPLY[index]#"${parts}"}"
        "${isTarget}" && COMPREPLY[index]="$(printf %q "${COMPREPLY[index]}")"
    done
    # As names of files, targets would have a backslash before @ and :.
    "${isTarget}" && compopt +o filenames 2> /dev/null
    return 0
}

complete -o filenames -F __reach_line reach
