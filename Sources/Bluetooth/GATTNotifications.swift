/// The notifications of one characteristic, in the order in which they come; it ends with the link,
/// by throwing. For one reader at a time.
public struct GATTNotifications<Connection: CentralConnection>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = [UInt8]
    /// Why there are no more.
    public typealias Failure = BluetoothError

    let connection: Connection
    let characteristic: GATTCharacteristic

    /// Begins nothing: who reads has subscribed.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notifications: self) }

    /// Hands them out.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let notifications: GATTNotifications

        /// The next value.
        public func next() async throws(BluetoothError) -> [UInt8]? {
            try await next(isolation: #isolation)
        }

        /// The next value.
        public func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluetoothError) -> [UInt8]? {
            let connection = notifications.connection
            while true {
                if let value = try connection.nextNotification(of: notifications.characteristic) {
                    return value
                }
                _ = try await connection.waitUntilReady(for: .reading, until: .distantFuture)
            }
        }
    }
}

extension CentralConnection {
    /// Subscribes, runs `body` once the peer has confirmed that, and gives the subscription back
    /// however the body ends.
    public func withNotifications<Value>(
        of characteristic: GATTCharacteristic, until deadline: LinkInstant,
        _ body: (GATTNotifications<Self>) async throws(BluetoothError) -> Value
    ) async throws(BluetoothError) -> Value {
        guard characteristic.properties.contains(.notify) else {
            throw .attribute(.requestNotSupported)
        }
        try await setNotifications(true, of: characteristic, until: deadline)
        do throws(BluetoothError) {
            let value = try await body(
                GATTNotifications(connection: self, characteristic: characteristic))
            await unsubscribe(from: characteristic)
            return value
        } catch {
            await unsubscribe(from: characteristic)
            throw error
        }
    }

    /// Gives a subscription back before the link is. That is done for a task that is canceled, too;
    /// a link that is gone took the subscription along.
    public func unsubscribe(from characteristic: GATTCharacteristic) async {
        let deadline = now.advanced(microseconds: Unsubscribing.patienceMicroseconds)
        await Task {
            try? await setNotifications(false, of: characteristic, until: deadline)
        }.value
    }
}

/// A bound for good manners.
private enum Unsubscribing {
    /// How long the peer may take to confirm.
    static let patienceMicroseconds: UInt64 = 1_000_000
}
