import BargeProtocol
import Bluetooth

/// A session that stands: a pipe on a link, and both HELLOs exchanged.
struct OpenSession<Connection: CentralConnection> {
    let connection: Connection
    let driver: HostDriver
    let hello: Hello
    let route: RouteInformation

    /// FIN, and the pipe's end. The link is its keeper's to end.
    func close() async {
        // In mid-transfer there is nothing to say.
        if driver.session.isIdle {
            await driver.finish()
        } else {
            await driver.abandon()
        }
    }
}

extension BargeHost {
    /// Opens a pipe on a link that stands, and says hello.
    func openSession(
        on connection: Backend.Connection, _ characteristics: [GATTCharacteristic]
    ) async throws(BargeError) -> OpenSession<Backend.Connection> {
        steps.step("linked: \(connection.parameters.traceText)", at: central.now)
        let opening = try await PipeOpener(
            connection: connection, characteristics: characteristics, options: options
        ).open()
        let pipe = opening.pipe
        steps.step("pipe: \(opening.traceText)", at: central.now)
        let driver = HostDriver(
            pipe: pipe, hello: .host,
            patienceMicroseconds: options.stepMicroseconds(on: connection.parameters),
            trace: steps)
        do throws(BargeError) {
            let hello = try await driver.greet()
            let route = RouteInformation(
                route: pipe.route, reason: opening.reason, psm: opening.psm,
                warning: opening.warning, writeBytes: pipe.efficientWriteBytes,
                serial: hello.serial.printable)
            return OpenSession(
                connection: connection, driver: driver, hello: hello, route: route)
        } catch {
            await driver.abandon()
            throw error
        }
    }

    var steps: Trace { Trace(sink: trace) }
}
