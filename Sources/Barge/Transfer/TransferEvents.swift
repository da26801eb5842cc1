/// A transfer as the sequence of its events: it begins with the loop over it, ends with
/// ``TransferEvent/finished(_:)``, and is called off when the loop is left or the task that runs
/// it is canceled.
///
/// A reader that is slower than the transfer loses the oldest of the events that wait for it
/// beyond ``mostWaiting``, never the last: what waits does not grow with the object.
public struct TransferEvents: AsyncSequence, Sendable {
    /// What is handed out.
    public typealias Element = TransferEvent
    /// Why it did not end well.
    public typealias Failure = BargeError

    /// The most events that wait for their reader.
    public static let mostWaiting = 4096

    typealias Operation =
        @Sendable (@escaping @Sendable (TransferEvent) -> Void) async throws(BargeError) -> Void

    private let operation: Operation

    init(_ operation: @escaping Operation) { self.operation = operation }

    /// Begins the transfer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(operation) }

    /// Hands out the events of one run.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var events: AsyncThrowingStream<TransferEvent, any Error>.AsyncIterator

        init(_ operation: @escaping Operation) {
            let (stream, continuation) = AsyncThrowingStream<TransferEvent, any Error>.makeStream(
                bufferingPolicy: .bufferingNewest(TransferEvents.mostWaiting))
            let task = Task {
                do throws(BargeError) {
                    try await operation { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
            events = stream.makeAsyncIterator()
        }

        /// The next event; nil after the last.
        public mutating func next() async throws(BargeError) -> TransferEvent? {
            try await next(isolation: #isolation)
        }

        /// The next event; nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BargeError) -> TransferEvent? {
            do {
                return try await events.next(isolation: actor)
            } catch {
                throw error as? BargeError ?? .canceled
            }
        }
    }
}

extension BargeHost {
    /// Puts a firmware file on a device, as ``flash(_:to:flashing:events:)`` does.
    public func flash(
        _ file: FirmwareFile, to device: DeviceReference, flashing: FlashOptions = FlashOptions()
    ) -> TransferEvents {
        TransferEvents { events throws(BargeError) in
            let source = UploadSource(bytes: file.payload, name: file.name)
            _ = try await self.flash(source, to: device, flashing: flashing, events: events)
        }
    }

    /// Copies the file at `path` to a device, as ``push(_:to:as:events:)`` does.
    /// - Parameter name: its name there; nil for the last part of the path.
    public func push(
        path: String, to device: DeviceReference, as name: String? = nil
    ) -> TransferEvents {
        TransferEvents { events throws(BargeError) in
            let source: UploadSource
            do throws(LocalFileError) {
                source = try UploadSource(path: path)
            } catch {
                throw BargeError(error)
            }
            _ = try await self.push(source, to: device, as: name ?? source.name, events: events)
        }
    }

    /// Copies a file from a device to `path`, as ``pull(_:from:to:overwrite:events:)`` does.
    public func pull(
        _ name: String, from device: DeviceReference, toPath path: String, overwrite: Bool = false
    ) -> TransferEvents {
        TransferEvents { events throws(BargeError) in
            let destination: DownloadDestination
            do throws(LocalFileError) {
                destination = try DownloadDestination(localPath: path, remoteName: name)
            } catch {
                throw BargeError(error)
            }
            _ = try await self.pull(
                name, from: device, to: destination, overwrite: overwrite, events: events)
        }
    }
}
