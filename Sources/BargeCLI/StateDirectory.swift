/// Where barge keeps what outlasts it (XDG Base Directory Specification 0.8).
enum StateDirectory {
    /// The directory that a command line asks for. It need not exist.
    ///
    /// - Throws: `ExitCode.usage` if nothing says where it is.
    static func path(_ arguments: ParsedArguments) throws(Failure) -> String {
        try path(
            given: arguments[GlobalOptions.stateDirectory], environment: System.environment)
    }

    /// - Parameter given: the value of `--state-dir`.
    static func path(
        given: String?, environment: (String) -> String?
    ) throws(Failure) -> String {
        if let given { return given }
        // The specification has relative paths ignored.
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/barge"
        }
        if let home = environment("HOME"), home.hasPrefix("/") {
            return home + "/.local/state/barge"
        }
        throw UsageFailure.usage(
            "no-state-directory", what: "there is no place for the state of barge",
            why: "neither XDG_STATE_HOME nor HOME names a directory",
            advice: "give one with '--state-dir DIR'")
    }
}
