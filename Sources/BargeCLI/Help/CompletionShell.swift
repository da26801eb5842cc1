/// A shell that can complete the command line of barge.
enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A script that asks barge itself what may come next (see `CompletionEngine`).
    var script: [String] {
        let text =
            switch self {
            case .bash: Self.bashScript
            case .zsh: Self.zshScript
            case .fish: Self.fishScript
            }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    /// Bash breaks words at `:` and `=` as well, so `sim:demo` arrives in three pieces and the
    /// answer must leave out what stands before the last break.
    private static let bashScript = #"""
        # bash completion for barge; load it with: source <(barge completions bash)
        _barge() {
            local -a words=()
            local piece glue= i
            for ((i = 1; i <= COMP_CWORD; i++)); do
                piece=${COMP_WORDS[i]}
                if [[ ${#words[@]} -gt 0 && ( $glue || $piece == : || $piece == = ) ]]; then
                    words[${#words[@]}-1]+=$piece
                else
                    words+=("$piece")
                fi
                glue=
                if [[ $piece == : || $piece == = ]]; then glue=yes; fi
            done
            # An alias is not expanded in here. Older versions have no table of them.
            local program=${COMP_WORDS[0]}
            if ((BASH_VERSINFO[0] >= 4)); then program=${BASH_ALIASES[$program]:-$program}; fi
            local current=${words[${#words[@]}-1]} candidate
            local broken=${current%"${current##*[:=]}"}
            COMPREPLY=()
            while IFS=$'\t' read -r candidate _; do
                if [[ $candidate == :files ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r candidate; do
                        COMPREPLY+=("$candidate")
                    done < <(compgen -f -- "${current#"$broken"}")
                    return
                fi
                # An alias may have spaces in it.
                printf -v candidate %q "${candidate#"$broken"}"
                COMPREPLY+=("$candidate")
            done < <("${program/#\~/$HOME}" __complete -- "${words[@]}" 2>/dev/null)
        }
        complete -F _barge barge
        """#

    private static let zshScript = #"""
        #compdef barge
        # zsh completion for barge; load it with: source <(barge completions zsh)
        _barge() {
            local -a candidates descriptions
            local line
            local program=${aliases[$words[1]]:-$words[1]}
            local tab=$'\t'
            while IFS= read -r line; do
                if [[ $line == :files ]]; then
                    compset -P '--*='
                    _files
                    return
                fi
                candidates+=("${line%%$tab*}")
                descriptions+=("${line/$tab/  -- }")
            done < <("${(Q)program}" __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
            compadd -l -d descriptions -a candidates
        }
        if [[ $funcstack[1] == _barge ]]; then _barge "$@"; else compdef _barge barge; fi
        """#

    private static let fishScript = #"""
        # fish completion for barge; load it with: barge completions fish | source
        function __barge_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l program $words[1]
            set -e words[1]
            set -l answer ($program __complete -- $words "$current" 2>/dev/null)
            if test "$answer[1]" = :files
                __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current")
            else if set -q answer[1]
                printf '%s\n' $answer
            end
        end
        complete -c barge -f -a '(__barge_complete)'
        """#
}
