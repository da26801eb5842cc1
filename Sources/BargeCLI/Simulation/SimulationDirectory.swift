/// The simulated devices of a state directory: `STATE/sim/NAME/`.
///
/// A device appears and vanishes whole, by one rename, under a lock that all who make or remove
/// devices take; what a killed process left behind half-way is swept by the next one.
struct SimulationDirectory: Sendable {
    let path: String

    /// The device that exists without being created.
    static let demonstration = "demo"
    /// Names of devices begin with a letter or a digit, so these are none.
    private static let draftPrefix = ".making-"
    private static let trashPrefix = ".removing-"
    private static let lockName = ".lock"

    init(stateDirectory: String) { path = stateDirectory + "/sim" }

    func files(of name: String) -> DeviceFiles { DeviceFiles(name: name, path: path + "/" + name) }

    /// The names of the devices that were made, in order.
    func names() throws(Failure) -> [String] {
        try translating(.read, path) { () throws(SystemFailure) in
            try System.names(in: path).filter { !$0.hasPrefix(".") }
        }
    }

    /// The names of all devices, the one among them that is made on its first use.
    func allNames() throws(Failure) -> [String] {
        Set(try names() + [Self.demonstration]).sorted()
    }

    /// The names that a shell may offer; what goes wrong is not for it to hear.
    var namesForCompletion: [String] { (try? allNames()) ?? [Self.demonstration] }

    func exists(_ name: String) throws(Failure) -> Bool {
        let files = files(of: name)
        return try translating(.read, files.path) { () throws(SystemFailure) in
            try System.entry(at: files.path) == .directory
        }
    }

    /// Makes devices: `fill` puts everything that one has into a directory that then takes its
    /// place. Stops between two of them where its task is canceled.
    ///
    /// - Throws: that one of the devices exists, before any is made, and what `fill` throws.
    func make(
        _ names: [String], _ fill: (DeviceFiles) throws(Failure) -> Void
    ) throws(Failure) {
        let lock = try lockAll()
        defer { withExtendedLifetime(lock) {} }
        for name in names where try exists(name) { throw SimulationFailure.exists(name) }
        for name in names {
            if Task.isCancelled { throw SimulationFailure.interrupted(name) }
            try makeOne(name, fill)
        }
    }

    private func makeOne(
        _ name: String, _ fill: (DeviceFiles) throws(Failure) -> Void
    ) throws(Failure) {
        let draft = DeviceFiles(name: name, path: path + "/" + Self.draftPrefix + name)
        try translating(.create, draft.path) { () throws(SystemFailure) in
            try System.makeDirectories(draft.path)
        }
        try fill(draft)
        try translating(.create, files(of: name).path) { () throws(SystemFailure) in
            try System.move(draft.path, to: files(of: name).path)
        }
    }

    /// Removes a device, whose lock the caller has.
    func remove(_ name: String) throws(Failure) {
        let (device, trash) = (files(of: name).path, path + "/" + Self.trashPrefix + name)
        let lock = try lockAll()
        defer { withExtendedLifetime(lock) {} }
        try translating(.remove, device) { () throws(SystemFailure) in
            try System.move(device, to: trash)
            try System.removeAll(trash)
        }
    }

    /// Waits for the lock of the whole directory, which nobody holds for long, and sweeps.
    private func lockAll() throws(Failure) -> DeviceLock {
        try translating(.create, path) { () throws(SystemFailure) in
            try System.makeDirectories(path)
        }
        let lockPath = path + "/" + Self.lockName
        let lock = try translating(.create, lockPath) { () throws(SystemFailure) in
            try DeviceLock.waitBriefly(lockPath)
        }
        try translating(.remove, path) { () throws(SystemFailure) in
            for name in try System.names(in: path)
            where name.hasPrefix(Self.draftPrefix) || name.hasPrefix(Self.trashPrefix) {
                try System.removeAll(path + "/" + name)
            }
        }
        return lock
    }

    private func translating<Value>(
        _ action: Failure.FileAction, _ path: String,
        _ work: () throws(SystemFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(SystemFailure) {
            return try work()
        } catch {
            throw SimulationFailure.file(action, path: path, errorNumber: error.errorNumber)
        }
    }
}
