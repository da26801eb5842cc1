/// What a run of `barge` tells the shell.
///
/// The numbers are a contract with scripts: a number never changes its meaning.
enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case bug = 1
    case usage = 2
    case notFound = 3
    case bluetoothUnavailable = 4
    case securityRefused = 5
    case refusedByDevice = 6
    case verificationFailed = 7
    case linkLost = 8
    case localInputOutput = 9
    case interrupted = 130
    case outputClosed = 141

    /// One sentence for `barge help exit-codes` and for the manual page.
    var meaning: String {
        switch self {
        case .done: "Done, or there was nothing left to do."
        case .bug: "Anything that has no number of its own: a bug in barge, please report it."
        case .usage: "The command line is wrong; nothing was done."
        case .notFound: "No such device, file or object."
        case .bluetoothUnavailable: "Bluetooth is not available: no adapter, no power, no right."
        case .securityRefused: "The level of security that was asked for was not reached."
        case .refusedByDevice: "The device refused: no space, not allowed, wrong image."
        case .verificationFailed: "A digest or a signature does not agree."
        case .linkLost: "The link was lost; the same command goes on where it stopped."
        case .localInputOutput: "Reading or writing failed on this computer: disk full, permission."
        case .interrupted: "Interrupted by a signal; the same command goes on where it stopped."
        case .outputClosed: "The reader of standard output went away while it received a file."
        }
    }
}

extension ExitCode {
    /// The worst of several; `done` if there is none.
    static func worst(_ codes: some Sequence<ExitCode>) -> ExitCode {
        codes.max { $0.badness < $1.badness } ?? .done
    }

    /// What a script should know of first, where several devices ended differently. From bad to
    /// worse: what the same command again may finish, what somebody must set right here, what must
    /// be set right on a device, a wrong image or command, an end that came from outside and hides
    /// how the rest would have ended, and our own bug.
    private var badness: Int {
        switch self {
        case .done: 0
        case .linkLost: 1
        case .notFound: 2
        case .bluetoothUnavailable: 3
        case .localInputOutput: 4
        case .securityRefused: 5
        case .refusedByDevice: 6
        case .verificationFailed: 7
        case .usage: 8
        case .outputClosed: 9
        case .interrupted: 10
        case .bug: 11
        }
    }
}
