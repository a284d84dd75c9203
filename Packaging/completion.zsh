    # After help, there are commands. The default command is dashboard, if the first word is an option or a target.
    if [[ "${words[2]}" = help ]] && (( CURRENT == 3 )); then
        words=("${words[1]}" "${(@)words[3,-1]}")
        (( CURRENT-- ))
    elif [[ "${words[2]}" = ([-@\\]*|*[.:/]*) ]]; then
        words=("${words[1]}" dashboard "${(@)words[2,-1]}")
        (( CURRENT++ ))
    fi

