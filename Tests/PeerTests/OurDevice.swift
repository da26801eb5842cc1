import Foundation

@testable import PeerBridge

/// Our device on a thread of its own, behind a socket, for as long as this lives.
final class OurDevice {
    private let socket = SocketPath()
    private let stop = Pipe()

    var path: String { socket.path }

    init(_ settings: DeviceServer.Settings) throws {
        let listener = try UnixSocket.listen(at: socket.path)
        let stopDescriptor = dup(stop.fileHandleForReading.fileDescriptor)
        Thread {
            defer {
                UnixSocket.close(listener)
                UnixSocket.close(stopDescriptor)
            }
            do {
                var server = try DeviceServer(settings, listener: listener)
                server.run(until: stopDescriptor)
            } catch {
                fatalError("the device's storage: \(error)")
            }
        }.start()
    }

    deinit { try? stop.fileHandleForWriting.close() }
}
