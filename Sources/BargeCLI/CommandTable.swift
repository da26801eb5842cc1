/// What a command does: it answers with the exit code, or throws why it could not.
///
/// A body writes through its console alone. When its task is canceled it comes to a tidy end soon.
typealias CommandBody =
    @concurrent @Sendable (ParsedArguments, Console) async throws(Failure) -> ExitCode

/// The one place where the words of a command meet its body.
struct CommandTable: Sendable {
    private let bodies: [[String]: CommandBody]
    /// The names of the simulated devices in a state directory, without `sim:`, for completions.
    let simulatedDevices: @Sendable (_ stateDirectory: String) -> [String]

    init(
        _ bodies: [[String]: CommandBody],
        simulatedDevices: @escaping @Sendable (String) -> [String]
    ) {
        self.bodies = bodies
        self.simulatedDevices = simulatedDevices
    }

    /// The body of the command that these words lead to.
    func body(for path: [String]) -> CommandBody? { bodies[path] }

    static let standard = CommandTable(
        [
            ["completions"]: CompletionsCommand.run,
            ["man"]: ManualCommand.run,
            ["help"]: HelpCommand.run,
            ["flash"]: FlashCommand.run,
            ["push"]: PushCommand.run,
            ["pull"]: PullCommand.run,
            ["ls"]: ListCommand.run,
            ["rm"]: RemoveCommand.run,
            ["info"]: InfoCommand.run,
            ["scan"]: ScanCommand.run,
            ["pair"]: PairCommand.run,
            ["forget"]: ForgetCommand.run,
            ["sim", "create"]: SimulationCreateCommand.run,
            ["sim", "list"]: SimulationListCommand.run,
            ["sim", "rm"]: SimulationRemoveCommand.run,
            ["sim", "reboot"]: SimulationRebootCommand.run,
            ["sim", "unpair"]: SimulationUnpairCommand.run,
            ["image", "inspect"]: ImageInspectCommand.run,
            ["image", "verify"]: ImageVerifyCommand.run,
            ["resume"]: ResumeCommand.run,
        ],
        simulatedDevices: { SimulationDirectory(stateDirectory: $0).namesForCompletion })
}
