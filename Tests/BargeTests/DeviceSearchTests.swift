import BargeProtocol
import Bluetooth
import Testing

@testable import Barge

@Suite("Who answers is known by its serial")
struct DeviceSearchTests {
    private func hello(_ serial: [UInt8]) throws -> Hello {
        var hello = Hello()
        let name = Name(serial.span.bytes)
        hello.serial = try #require(name)
        return hello
    }

    private func answer(_ hello: Hello, to serial: String) -> DeviceSearch.Answer {
        var search = DeviceSearch(.identity(serial: serial, peers: []), HostOptions())
        return search.judge(hello, at: PeerID("a"))
    }

    @Test(
        "A device is found again by the serial that is remembered of it, whatever is in it",
        arguments: [Array("PUMP 7".utf8), [0x1B, 0x41], [0xC0, 0xFF, 0xEE]])
    func found(serial: [UInt8]) throws {
        let hello = try hello(serial)
        let remembered = DeviceSighting(hello, at: PeerID("a")).serial
        #expect(answer(hello, to: remembered) == .isWanted)
        #expect(try answer(self.hello(Array("PUMP 8".utf8)), to: remembered) == .isAnother)
    }
}
