import BargePeripheral

/// The sentences for all that can be wrong with a simulated device.
enum SimulationFailure {
    static func missing(_ name: String) -> Failure {
        Failure(
            .notFound, "no-such-device", what: "there is no simulated device 'sim:\(name)'",
            why: "it was never created, or it was removed",
            advice:
                "'barge sim list' lists those that there are; 'barge sim create \(name)' makes it")
    }

    static func exists(_ name: String) -> Failure {
        Failure(
            .refusedByDevice, "device-exists", what: "cannot create 'sim:\(name)'",
            why: "there is a simulated device of that name already",
            advice: "choose another name, or remove that one with 'barge sim rm \(name)'")
    }

    /// - Parameter holder: the number of the process that has it, if it told.
    static func inUse(_ name: String, holder: Int32?) -> Failure {
        let process = holder.map { "process \($0)" } ?? "another process"
        return Failure(
            .refusedByDevice, "device-in-use", what: "'sim:\(name)' is in use",
            why: "\(process) is connected to it, and a simulated device has one central at a time",
            advice: "wait until that one ends, or use another device")
    }

    /// A text file of a device that cannot be read.
    static func unreadable(
        _ problem: KeyValueText.Problem, path: String, device name: String
    ) -> Failure {
        switch problem {
        case .newer: newer(path: path, device: name)
        case .damaged(let reason): damaged(path: path, reason: reason, device: name)
        }
    }

    static func newer(path: String, device name: String) -> Failure {
        Failure(
            .localInputOutput, "newer-version", what: "cannot use 'sim:\(name)'",
            why: "a later version of barge wrote '\(path)'",
            advice: "use that version, or start over with 'barge sim rm \(name)'")
    }

    static func damaged(path: String, reason: String, device name: String) -> Failure {
        Failure(
            .localInputOutput, "damaged-device", what: "cannot use 'sim:\(name)'",
            why: "'\(path)' is damaged: \(reason)",
            advice: "put the file back as it was, or start over with 'barge sim rm \(name)'")
    }

    /// A flash file that cannot be made or opened.
    static func flash(_ error: FlashFileError, device name: String) -> Failure {
        switch error {
        case .exists(let path):
            damaged(path: path, reason: "it is there before it was made", device: name)
        case .notAFlash(let path):
            damaged(path: path, reason: "it does not begin like a flash", device: name)
        case .damaged(let path):
            damaged(path: path, reason: "its checksum or its size is wrong", device: name)
        case .newer(let path, _): newer(path: path, device: name)
        case .inUse: inUse(name, holder: nil)
        case .system(let path, let error):
            file(.write, path: path, errorNumber: error.code)
        }
    }

    static func nothingStarts(_ name: String) -> Failure {
        Failure(
            .verificationFailed, "nothing-starts", what: "'sim:\(name)' does not start",
            why: "no image in its flash has the digest that it should have",
            advice: "start over with 'barge sim rm \(name)'")
    }

    /// A file of a device that the system does not let us use. Nobody named it on the command line,
    /// so one that is missing is damage, not a path to check.
    static func file(
        _ action: Failure.FileAction, path: String, errorNumber: Int32
    ) -> Failure {
        let failure = Failure.file(action, path: path, errorNumber: errorNumber)
        switch System.kind(ofFileError: errorNumber) {
        case .denied, .readOnly, .full, .tooMany: return failure
        case .missing, .directory, .other:
            return Failure(
                .localInputOutput, "damaged-state", what: failure.what, why: failure.why,
                advice: "put the file back as it was, move its directory away, or choose another "
                    + "place with '--state-dir DIR'")
        }
    }

    static func interrupted(_ name: String) -> Failure {
        Failure(
            .interrupted, "interrupted", what: "stopped waiting for 'sim:\(name)'",
            why: "a signal asked barge to stop", advice: "run the same command again to go on")
    }
}
