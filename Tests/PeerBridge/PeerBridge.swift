import Barge
import BargePeripheral
import Bluetooth

/// Our two halves for a peer in another language to talk to, without any Bluetooth.
///
///     PeerBridge device SOCKET [MTU]    our device listens there, with its storage in memory
///     PeerBridge host SOCKET [MTU]      our host pushes, lists and removes a file there
///
/// SOCKET is a Unix socket's path; each connection to it is a link. Without an MTU a link is the
/// CoC pipe's plain byte stream. With one it carries the GATT pipe's values, each behind its length
/// as a u16 in little-endian order.
@main
struct PeerBridge {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("device", 2...3): try serve(at: arguments[1], mtu: mtu(arguments))
        case ("host", 2...3): try await call(arguments[1], mtu: mtu(arguments))
        default: print("usage: PeerBridge device|host SOCKET [MTU]")
        }
    }

    private static func mtu(_ arguments: [String]) -> Int? {
        arguments.count > 2 ? Int(arguments[2]) : nil
    }

    private static func serve(at path: String, mtu: Int?) throws {
        var settings = DeviceServer.Settings()
        settings.mtu = mtu
        var server = try DeviceServer(settings, listener: try UnixSocket.listen(at: path))
        // Standard input's end, or a line on it, is the end.
        server.run(until: 0)
    }

    private static func call(_ path: String, mtu: Int?) async throws {
        let host = BargeHost(central: SocketCentral(mtu: mtu))
        let device = DeviceReference.peer(PeerID(path))
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let source = UploadSource(bytes: bytes, name: "bridge.bin")
        print("pushed:", try await host.push(source, to: device, as: "bridge.bin").result)
        for file in try await host.files(on: device) { print("holds:", file.name, file.size) }
        try await host.remove("bridge.bin", on: device)
        print("removed: bridge.bin")
    }
}
