import BargeProtocol
import Bluetooth

/// Finds the PSM and opens a channel, or falls back to the GATT pipe and says why.
struct PipeOpener<Connection: CentralConnection> {
    let connection: Connection
    /// Those of the service.
    let characteristics: [GATTCharacteristic]
    let options: HostOptions

    /// An open pipe, and how it came about.
    struct Opening {
        let pipe: any Pipe
        /// The channel's PSM; nil over GATT.
        let psm: PSM?
        /// What is odd about the PSM that the device publishes, though it can be used (BTP-002).
        var warning: String?
        /// Why it is not a CoC, where it is none.
        let reason: String?
    }

    /// Opens a channel, or where that cannot be the GATT pipe.
    func open() async throws(BargeError) -> Opening {
        let opened: Result<Opening, NoChannel>
        do throws(BluetoothError) {
            opened = try await openWhatWorks()
        } catch {
            throw BargeError(error, while: "opening a pipe")
        }
        switch opened {
        case .success(let opening): return opening
        case .failure(let reason):
            throw BargeError(
                .refused, "no-channel", what: "There is no L2CAP channel to the device",
                why: reason.text,
                advice: "Leave out --transport coc to go over GATT, or try another --psm")
        }
    }

    /// Fails where there is no channel, and nothing else was allowed.
    private func openWhatWorks() async throws(BluetoothError) -> Result<Opening, NoChannel> {
        let reason: String
        if options.transport == .gatt {
            reason = "asked for"
        } else {
            switch try await openChannel() {
            case .success(let opening): return .success(opening)
            case .failure(let failure):
                guard options.transport == .automatic else { return .failure(failure) }
                reason = failure.text
            }
        }
        let pipe = try await openAttributes()
        return .success(Opening(pipe: pipe, psm: nil, reason: reason))
    }

    private var deadline: LinkInstant {
        connection.now.advanced(
            microseconds: options.stepMicroseconds(on: connection.parameters))
    }

    /// Why there is no channel, where another pipe may do.
    private struct NoChannel: Error {
        let text: String
    }

    private func openChannel() async throws(BluetoothError) -> Result<Opening, NoChannel> {
        let found: (psm: PSM, warning: String?)
        switch try await findPSM() {
        case .success(let value): found = value
        case .failure(let reason): return .failure(reason)
        }
        let psm = found.psm
        do throws(BluetoothError) {
            let channel = try await connection.openChannel(
                psm, receiveMTU: CoCPipe<Connection>.receiveMTU, until: deadline)
            let pipe = CoCPipe(channel: channel, on: connection)
            return .success(
                Opening(pipe: pipe, psm: psm, warning: found.warning, reason: nil))
        } catch {
            guard case .channelRefused(let refusal) = error, !refusal.isAboutSecurity else {
                throw error
            }
            let text = "the device refused the channel on PSM \(psm): \(refusal.reason)"
            return .failure(NoChannel(text: text))
        }
    }

    /// The PSM as asked for, else as the device publishes it, read anew on each connection.
    private func findPSM() async throws(BluetoothError) -> Result<
        (psm: PSM, warning: String?), NoChannel
    > {
        if let psm = options.psm { return .success((psm, nil)) }
        let uuid = options.psmCharacteristic ?? PSM.characteristic
        guard let characteristic = characteristics.first(where: { $0.uuid == uuid }) else {
            return .failure(NoChannel(text: "the device publishes no PSM"))
        }
        let value = try await connection.readValue(of: characteristic, until: deadline)
        guard let psm = PSM(published: value) else {
            let text = "the device publishes an unusable PSM (\(Hexadecimal.text(value)))"
            return .failure(NoChannel(text: text))
        }
        guard value.count != PSM.publishedBytes else { return .success((psm, nil)) }
        let count = value.count == 1 ? "1 byte" : "\(value.count) bytes"
        return .success((psm, "the device publishes a PSM of \(count) rather than 2"))
    }

    private func openAttributes() async throws(BluetoothError) -> AttributePipe<Connection> {
        func find(_ identifier: ServiceIdentifier) throws(BluetoothError) -> GATTCharacteristic {
            let uuid = BluetoothUUID(identifier)
            guard let found = characteristics.first(where: { $0.uuid == uuid }) else {
                throw .noSuchAttribute(uuid)
            }
            return found
        }
        var pipe = try AttributePipe(
            connection: connection, upload: find(.upload), download: find(.download))
        try await pipe.open(until: deadline)
        return pipe
    }
}

extension PSM {
    /// How long a characteristic's value should be.
    static let publishedBytes = 2

    /// The number in a characteristic's value: little-endian, 2 bytes, or 1 or 4 (BTP-002).
    init?(published value: [UInt8]) {
        guard [1, 2, 4].contains(value.count) else { return nil }
        let number = value.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let short = UInt16(exactly: number) else { return nil }
        self.init(short)
    }
}

extension BluetoothUUID {
    init(_ identifier: ServiceIdentifier) {
        self.init(high: identifier.high, low: identifier.low)
    }
}
