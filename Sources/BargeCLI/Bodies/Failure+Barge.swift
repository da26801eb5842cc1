import Barge

extension Failure {
    /// The library's error as the shell is told of it.
    init(_ error: BargeError) {
        self.init(
            ExitCode(error.kind), error.identifier, what: error.what.uncapitalized,
            why: error.why, advice: error.advice.uncapitalized)
    }
}

extension ExitCode {
    /// The contract that scripts rely on.
    init(_ kind: BargeError.Kind) {
        switch kind {
        case .deviceNotFound, .localFileMissing, .remoteFileNotFound: self = .notFound
        case .bluetoothUnavailable: self = .bluetoothUnavailable
        case .security: self = .securityRefused
        case .refused: self = .refusedByDevice
        case .verification: self = .verificationFailed
        case .linkLost: self = .linkLost
        case .localFileUnusable: self = .usage
        case .localFile: self = .localInputOutput
        case .outputClosed: self = .outputClosed
        case .canceled: self = .interrupted
        }
    }
}

extension String {
    /// For the middle of a line: the first letter small, unless the word is an abbreviation.
    fileprivate var uncapitalized: String {
        guard let first, first.isUppercase, let second = dropFirst().first, !second.isUppercase
        else { return self }
        return first.lowercased() + dropFirst()
    }
}
