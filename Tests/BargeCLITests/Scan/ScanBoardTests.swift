import Barge
import Testing

@testable import BargeCLI

@Suite("What a scan shows")
struct ScanBoardTests {
    private func heard(
        _ peer: String, _ name: String? = nil, rssi: Int? = nil
    ) -> Advertisement {
        var advertisement = Advertisement(peer: PeerID(peer))
        advertisement.localName = name
        advertisement.rssiDBm = rssi
        return advertisement
    }

    @Test("The strongest comes first, and what has no strength last")
    func order() {
        var board = ScanBoard()
        for (peer, rssi) in [("c", -60), ("a", nil), ("d", -40), ("b", -60)] as [(String, Int?)] {
            let isNew = board.note(heard(peer, rssi: rssi))
            #expect(isNew)
        }
        #expect(board.devices.map(\.peer.rawValue) == ["d", "b", "c", "a"])
    }

    @Test("A device is new once, and what it leaves out later stays as it was")
    func merging() {
        var board = ScanBoard()
        let first = board.note(heard("a", "pump", rssi: -50))
        let second = board.note(heard("a", rssi: -70))
        #expect(first && !second)
        #expect(board.devices.map(\.localName) == ["pump"])
        #expect(board.devices.map(\.rssiDBm) == [-70])
    }

    @Test("A device that is remembered has its alias beside it")
    func alias() throws {
        let device = KnownDevice(
            serial: "S1", model: "m", peers: [PeerID("a")], alias: try DeviceAlias("Pump 7"),
            lastSeenSeconds: 0)
        var board = ScanBoard([device])
        _ = board.note(heard("a", "pump", rssi: -50))
        _ = board.note(heard("b", "valve", rssi: -60))
        #expect(board.lines == ["a  pump   -50 dBm    Pump 7", "b  valve  -60 dBm"])
        let record = board.record(try #require(board.devices.first))
        #expect(record.alias == "Pump 7")
        #expect(record.serial == "S1")
    }

    @Test("The table keeps to the terminal, and says how much it leaves out")
    func size() {
        var board = ScanBoard()
        for number in 0..<10 { _ = board.note(heard("device-\(number)", "name", rssi: -50)) }
        let lines = board.lines(columns: 12, rows: 4)
        #expect(lines == ["device-0  na", "device-1  na", "device-2  na", "and 7 more"])
        #expect(board.lines(columns: 80, rows: 10).count == 10)
    }

    @Test("Names and addresses cannot steer the terminal")
    func printable() {
        var board = ScanBoard()
        _ = board.note(heard("a", "\u{1B}[31mred", rssi: -50))
        #expect(board.lines.first?.contains("\u{1B}") == false)
    }

    @Test(
        "Data of companies and services are read as they are written, or not at all",
        arguments: [
            ("0x0059:01ff", "0x0059:01FF"), ("0059", "0x0059"), ("0059:", nil), ("59", nil),
            ("0x0059:0", nil), ("0x0059:0g", nil), ("", nil), (":01", nil),
            ("0059:" + String(repeating: "00", count: 28), nil),
        ] as [(String, String?)])
    func manufacturer(text: String, expected: String?) {
        #expect(ManufacturerData(text: text)?.text == expected)
    }

    @Test(
        "Data of services likewise",
        arguments: [
            ("feaa:10eb", "FEAA:10EB"), ("FEAA", "FEAA"), ("feaa:1", nil), ("fea:10", nil),
        ] as [(String, String?)])
    func serviceData(text: String, expected: String?) {
        #expect(ScanFilter.ServiceData(text: text)?.text == expected)
    }
}
