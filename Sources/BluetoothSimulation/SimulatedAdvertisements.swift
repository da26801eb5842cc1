public import Bluetooth

/// What a scan hears: it begins with the first `next()`, and ends with the iterator.
public struct SimulatedAdvertisements: AsyncSequence, Sendable {
    /// What is handed out.
    public typealias Element = Advertisement
    /// Why a scan ends early.
    public typealias Failure = BluetoothError

    let radio: SimulatedRadio
    let filter: ScanFilter
    let deadline: LinkInstant

    /// Begins nothing yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(scan: self) }

    /// One scan.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let scan: SimulatedAdvertisements
        private var running: RunningScan?

        init(scan: SimulatedAdvertisements) { self.scan = scan }

        /// The next advertisement; nil at the deadline.
        public mutating func next() async throws(BluetoothError) -> Advertisement? {
            try await next(isolation: #isolation)
        }

        /// The next advertisement; nil at the deadline.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluetoothError) -> Advertisement? {
            let radio = scan.radio
            if radio.withWorld({ !$0.isAdapterPowered }) { throw .poweredOff }
            let running = self.running ?? RunningScan(radio: radio, filter: scan.filter)
            self.running = running
            guard try await radio.wait(for: .scan(running.number), until: scan.deadline) else {
                self.running = nil
                return nil
            }
            if let heard = radio.withWorld({ $0.nextHeard(running.number) }) { return heard }
            self.running = nil
            throw .poweredOff
        }
    }
}

/// Stops its scan when nobody holds it any more.
private final class RunningScan: Sendable {
    let radio: SimulatedRadio
    let number: UInt64

    init(radio: SimulatedRadio, filter: ScanFilter) {
        self.radio = radio
        number = radio.withWorld { $0.beginScan(filter) }
    }

    deinit { radio.leave(.scan(number)) }
}
