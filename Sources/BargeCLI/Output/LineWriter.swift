/// Writes whole runs of bytes to a descriptor that takes them in parts.
struct LineWriter: Sendable {
    /// What became of a run of bytes.
    enum Outcome: Equatable, Sendable {
        case complete
        /// Nobody reads any more.
        case closed
        case failed(errorNumber: Int32)
    }

    let writeOnce: @Sendable (UnsafeRawBufferPointer) -> System.WriteOutcome
    let waitUntilWritable: @Sendable () -> Void

    /// Writes to an open descriptor.
    init(descriptor: Int32) {
        writeOnce = { System.writeOnce($0, to: descriptor) }
        waitUntilWritable = { System.waitUntilWritable(descriptor) }
    }

    /// Writes through functions of the caller, for tests.
    init(
        writeOnce: @escaping @Sendable (UnsafeRawBufferPointer) -> System.WriteOutcome,
        waitUntilWritable: @escaping @Sendable () -> Void
    ) {
        self.writeOnce = writeOnce
        self.waitUntilWritable = waitUntilWritable
    }

    func write(_ text: String) -> Outcome {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch writeOnce(UnsafeRawBufferPointer(rebasing: rest)) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .interrupted: continue
            case .full: waitUntilWritable()
            case .closed: return .closed
            case .failed(let errorNumber): return .failed(errorNumber: errorNumber)
            }
        }
        return .complete
    }
}
