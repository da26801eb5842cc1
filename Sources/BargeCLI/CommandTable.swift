import Barge

/// What a command does: it answers with the exit code, or throws why it could not.
///
/// A body writes through its console alone. When its task is canceled it comes to a tidy end soon.
typealias CommandBody =
    @concurrent @Sendable (ParsedArguments, Console) async throws(Failure) -> ExitCode

/// The one place where the words of a command meet its body.
struct CommandTable: Sendable {
    private let bodies: [[String]: CommandBody]
    /// The devices in a state directory by what a user may call them, for completions.
    let devices: @Sendable (_ stateDirectory: String) -> [String]

    init(
        _ bodies: [[String]: CommandBody], devices: @escaping @Sendable (String) -> [String]
    ) {
        self.bodies = bodies
        self.devices = devices
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
        devices: { state in
            SimulationDirectory(stateDirectory: state).namesForCompletion.map { "sim:" + $0 }
                + KnownDevices.aliasesForCompletion(stateDirectory: state)
        })
}

extension KnownDevices {
    /// The aliases that a shell may offer; what goes wrong is not for it to hear, and nothing is
    /// made for it.
    fileprivate static func aliasesForCompletion(stateDirectory: String) -> [String] {
        guard (try? System.entry(at: stateDirectory + "/devices")) == .directory,
            let listing = try? KnownDevices(StateDirectory(path: stateDirectory)).list()
        else { return [] }
        return listing.devices.compactMap { $0.alias?.text }.sorted()
    }
}
