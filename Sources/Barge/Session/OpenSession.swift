import BargeProtocol
import Bluetooth

/// A session that stands: link, pipe, and both HELLOs exchanged.
struct OpenSession<Connection: CentralConnection> {
    let connection: Connection
    let driver: HostDriver
    let hello: Hello
    let route: RouteInformation

    /// FIN, then the link's end.
    func close() async {
        await driver.finish()
        await connection.disconnect()
    }

    /// The link's end, without a word.
    func abandon() async {
        await driver.abandon()
        await connection.disconnect()
    }
}

extension BargeHost {
    /// Connects, secures the link, opens a pipe and says hello.
    func openSession(
        _ device: DeviceReference, log: TransferLog
    ) async throws(BargeError) -> OpenSession<Backend.Connection> {
        let peer = try await find(device, log: log)
        let connection: Backend.Connection
        steps.step("connecting to \(peer)", at: central.now)
        do throws(BluetoothError) {
            connection = try await central.connect(to: peer, until: stepDeadline)
        } catch {
            throw BargeError(error, while: "connecting")
        }
        do throws(BargeError) {
            return try await openSession(on: connection, log: log)
        } catch {
            await connection.disconnect()
            throw error
        }
    }

    private func openSession(
        on connection: Backend.Connection, log: TransferLog
    ) async throws(BargeError) -> OpenSession<Backend.Connection> {
        steps.step("linked: \(connection.parameters.traceText)", at: central.now)
        do throws(BluetoothError) {
            let patience = options.stepMicroseconds(on: connection.parameters)
            try await connection.secure(
                options.security, answering: nil,
                until: central.now.advanced(microseconds: patience))
        } catch {
            throw BargeError(error, while: "securing the link")
        }
        steps.step("the link is \(options.security.name)", at: central.now)
        log.tell(.connected(connection.parameters))
        let opening = try await PipeOpener(connection: connection, options: options).open()
        let pipe = opening.pipe
        steps.step("pipe: \(opening.traceText)", at: central.now)
        let driver = HostDriver(
            pipe: pipe, hello: .host,
            patienceMicroseconds: options.stepMicroseconds(on: connection.parameters),
            trace: steps)
        let hello = try await driver.greet()
        let route = RouteInformation(
            route: pipe.route, reason: opening.reason, psm: opening.psm,
            warning: opening.warning,
            writeBytes: pipe.efficientWriteBytes, serial: hello.serial.printable)
        log.opened(route)
        return OpenSession(connection: connection, driver: driver, hello: hello, route: route)
    }

    /// The peer that a device's name stands for.
    func find(_ device: DeviceReference, log: TransferLog) async throws(BargeError) -> PeerID {
        switch device {
        case .peer(let peer): return peer
        case .name(let name):
            log.tell(.scanning)
            var filter = ScanFilter()
            filter.name = .exactly(name)
            guard let found = try await firstAdvertiser(filter, until: stepDeadline) else {
                throw BargeError(.peerNotFound(PeerID(name)), while: "scanning")
            }
            return found
        }
    }

    /// The first advertiser that matches, or nil when the deadline has passed.
    func firstAdvertiser(
        _ filter: ScanFilter, until deadline: LinkInstant
    ) async throws(BargeError) -> PeerID? {
        do throws(BluetoothError) {
            for try await heard in central.advertisements(filter, until: deadline) {
                return heard.peer
            }
            return nil
        } catch {
            throw BargeError(error, while: "scanning")
        }
    }

    private var steps: Trace { Trace(sink: trace) }

    var stepDeadline: LinkInstant {
        central.now.advanced(microseconds: options.stepMicroseconds)
    }
}
