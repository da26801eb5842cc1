import Barge
import Bluetooth
import Foundation

@testable import PeerBridge

/// A device in Python behind a socket, for as long as this lives.
final class PythonDevice {
    private let socket = SocketPath()
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    private let pipe: TestPipe

    /// How a session ended, as the device saw it.
    struct SessionEnd: Decodable, Equatable {
        /// The host said FIN, and was answered.
        var finished: Bool
        /// The error that ended it, of either side.
        var code: Int?
        var scope: Int?
    }

    convenience init(over pipe: TestPipe, _ arguments: String...) throws {
        try self.init(over: pipe, arguments)
    }

    init(over pipe: TestPipe, _ arguments: [String]) throws {
        self.pipe = pipe
        process = try Python.process("serve.py", [socket.path] + pipe.arguments + arguments)
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // It listens, and says so.
        _ = try output.fileHandleForReading.line()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    var host: BargeHost<SocketCentral> { BargeHost(central: SocketCentral(mtu: pipe.mtu)) }

    var reference: DeviceReference { .peer(PeerID(socket.path)) }

    /// Ends the device; how each of its sessions ended.
    func stop() throws -> [SessionEnd] {
        try input.fileHandleForWriting.close()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Python.Failure(description: "the device in Python failed; see above")
        }
        return try JSONDecoder().decode([SessionEnd].self, from: said)
    }
}
