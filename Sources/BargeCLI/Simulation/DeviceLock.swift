/// The right of one process to a simulated device, for as long as this value lives or until the
/// process ends, however it ends.
final class DeviceLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { System.closeDescriptor(descriptor) }

    /// What an attempt came to.
    enum Attempt {
        case taken(DeviceLock)
        /// Another process has it, whose number it may have left.
        case held(by: Int32?)
        /// The file was removed meanwhile, and the device with it.
        case gone
    }

    /// Tries once.
    static func attempt(_ path: String) throws(SystemFailure) -> Attempt {
        let descriptor = try System.openLock(path)
        let lock = DeviceLock(descriptor: descriptor)
        guard try System.tryLock(descriptor) else {
            return .held(by: holder(descriptor))
        }
        // Whoever held it may have removed the device, or even made it anew.
        guard System.isSameFile(descriptor, path) else { return .gone }
        System.overwrite(descriptor, with: "\(System.processID)\n")
        return .taken(lock)
    }

    /// Who has a lock.
    enum User: Equatable {
        case nobody
        case process(Int32?)
    }

    /// Looks who has a lock, and leaves it alone.
    static func user(_ path: String) -> User {
        guard let descriptor = System.openToLook(path) else { return .nobody }
        defer { System.closeDescriptor(descriptor) }
        // A lock that cannot be tried may be somebody's.
        if (try? System.tryLock(descriptor)) == true { return .nobody }
        return .process(holder(descriptor))
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        System.shortText(descriptor).split(separator: "\n").first.flatMap { Int32($0) }
    }

    /// Waits for a lock that nobody holds for long.
    static func waitBriefly(_ path: String) throws(SystemFailure) -> DeviceLock {
        let lock = DeviceLock(descriptor: try System.openLock(path))
        try System.waitForLock(lock.descriptor)
        return lock
    }

    /// Tries every 50 ms until `patience` is over, and says once that it waits.
    static func wait(
        for files: DeviceFiles, patience: Duration, console: Console?
    ) async throws(Failure) -> DeviceLock {
        let deadline = ContinuousClock.now.advanced(by: patience)
        var hasSpoken = false
        while true {
            switch try files.attemptLock() {
            case .taken(let lock): return lock
            case .gone: throw SimulationFailure.missing(files.name)
            case .held(let holder):
                guard ContinuousClock.now < deadline else {
                    throw SimulationFailure.inUse(files.name, holder: holder)
                }
                if !hasSpoken {
                    hasSpoken = true
                    let process = holder.map { "process \($0)" } ?? "another process"
                    console?.errorLine("waiting for sim:\(files.name), which \(process) uses")
                }
            }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                throw SimulationFailure.interrupted(files.name)
            }
        }
    }
}
