import Barge

/// Where a command line keeps what outlasts it: where it says, else where the library does.
enum StateLocation {
    /// The directory that a command line asks for, which now exists and is of this version.
    ///
    /// - Throws: `ExitCode.usage` if nothing says where it is, `ExitCode.localInputOutput` if it
    ///   cannot be used.
    static func path(_ arguments: ParsedArguments) throws(Failure) -> String {
        try open(arguments).path
    }

    /// The same for the library.
    static func open(_ arguments: ParsedArguments) throws(Failure) -> StateDirectory {
        let path = try path(
            given: arguments[GlobalOptions.stateDirectory], environment: System.environment)
        do throws(LocalFileError) {
            return try StateDirectory(path: path)
        } catch {
            throw Failure(state: error)
        }
    }

    /// - Parameter given: the value of `--state-dir`.
    static func path(
        given: String?, environment: (String) -> String?,
        homeOfUser: () -> String? = StateDirectory.homeOfUser
    ) throws(Failure) -> String {
        if let given { return given }
        do throws(LocalFileError) {
            return try StateDirectory.defaultPath(
                environment: environment, homeOfUser: homeOfUser)
        } catch {
            throw UsageFailure.usage(
                "no-state-directory", what: "there is no place for the state of barge",
                why: error.why, advice: "give one with '--state-dir DIR'")
        }
    }
}

extension Failure {
    /// Something is wrong with the state of barge. The command named none of its files, so it is
    /// never that one of them was not found.
    init(state error: LocalFileError) {
        let failure = Failure(BargeError(error))
        self.init(
            .localInputOutput, failure.identifier, what: failure.what, why: failure.why,
            advice: failure.advice)
    }
}
