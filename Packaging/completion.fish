    # After help, there are commands. The default command is dashboard, if the first word is an option or a target.
    set -l typed $unparsed_tokens[2..] (__reach_tokens -t)
    if test "$unparsed_tokens[2..]" = help
        set -e unparsed_tokens[2]
    else if string match -qr '^[-@\\\\]|[.:/]' -- $typed[1]
        set unparsed_tokens $unparsed_tokens[1] dashboard $unparsed_tokens[2..]
    end
