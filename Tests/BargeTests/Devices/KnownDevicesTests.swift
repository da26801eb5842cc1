import Bluetooth
import Foundation
import Testing

@testable import Barge

@Suite("Known devices")
struct KnownDevicesTests {
    let folder: TemporaryFolder
    let known: KnownDevices

    init() throws {
        folder = try TemporaryFolder()
        known = try KnownDevices(StateDirectory(path: folder.path))
    }

    @discardableResult
    private func meet(
        _ serial: String, at peer: String, name: String? = nil, now: UInt64 = 1_700_000_000
    ) throws -> KnownDevice {
        let change = try known.remember(
            serial: serial, model: "probe", name: name, peer: PeerID(peer), now: now)
        return try #require(change).device
    }

    @Test("What was remembered is listed, the latest seen first, with everything it said")
    func lists() throws {
        #expect(try known.list() == .init())
        try meet("S1", at: "A", name: "sensor", now: 10)
        try meet("S2", at: "B", now: 20)
        _ = try known.setAlias("Kitchen", for: "S1")
        let listing = try known.list()
        #expect(
            listing.devices == [
                KnownDevice(
                    serial: "S2", model: "probe", peers: [PeerID("B")], lastSeenSeconds: 20),
                KnownDevice(
                    serial: "S1", model: "probe", peers: [PeerID("A")], name: "sensor",
                    alias: try DeviceAlias("Kitchen"), lastSeenSeconds: 10),
            ])
        #expect(listing.warnings == [])
    }

    @Test("A device that comes back with another address is the same, and keeps its alias")
    func returns() throws {
        try meet("S1", at: "A", name: "old")
        _ = try known.setAlias("bench", for: "S1")
        // Right after its reset it may still advertise its old name.
        try meet("S1", at: "B", name: "old")
        let device = try meet("S1", at: "B", name: "new")
        #expect(device.peers == [PeerID("B"), PeerID("A")])
        #expect(device.name == "new")
        #expect(device.alias?.text == "bench")
        #expect(try known.list().devices == [device])
        #expect(try meet("S1", at: "B").name == "new")
    }

    @Test("Four addresses are kept, the latest first, none twice")
    func peers() throws {
        for peer in ["A", "B", "C", "A", "D", "E"] { try meet("S1", at: peer) }
        #expect(
            try known.list().devices.map(\.peers)
                == [[PeerID("E"), PeerID("D"), PeerID("A"), PeerID("C")]])
    }

    @Test("An address belongs to the device that was found there last")
    func taken() throws {
        try meet("S1", at: "A")
        try meet("S1", at: "B")
        try meet("S2", at: "B")
        let listing = try known.list()
        #expect(listing.devices(at: PeerID("A")).map(\.serial) == ["S1"])
        #expect(listing.devices(at: PeerID("B")).map(\.serial) == ["S2"])
        #expect(listing.devices(at: PeerID("C")) == [])
    }

    @Test("A device that says no serial is nobody to be remembered")
    func nameless() throws {
        let change = try known.remember(
            serial: "", model: "m", name: "n", peer: PeerID("A"), now: 1)
        #expect(change == nil)
        #expect(try known.list() == .init())
    }

    @Test("No serial leads out of the folder", arguments: ["../x", "/etc/x", "a\0b", "a\nb", "."])
    func hostileSerials(serial: String) throws {
        let before = folder.names
        try meet(serial, at: "A")
        #expect(folder.names == before)
        #expect(try known.list().device(serial: serial)?.serial == serial)
        #expect(try known.forget(serial: serial))
    }

    @Test("A forgotten device is gone; to forget a stranger is no error")
    func forgets() throws {
        try meet("S1", at: "A")
        #expect(try known.forget(serial: "S1"))
        #expect(try !known.forget(serial: "S1"))
        #expect(try known.list() == .init())
    }

    @Test("A text means an alias first, then a serial, then a name that only one device has")
    func named() throws {
        let first = try meet("S1", at: "A", name: "sensor", now: 3)
        let second = try meet("S2", at: "B", name: "sensor", now: 2)
        let third = try meet("S3", at: "C", name: "probe", now: 1)
        var listing = try known.list()
        #expect(listing.device(named: "S2") == .device(second))
        #expect(listing.device(named: "probe") == .device(third))
        #expect(listing.device(named: "sensor") == .ambiguous([first, second]))
        #expect(listing.device(named: "PROBE").names == ["probe"])
        #expect(listing.device(named: "S9").names == ["S1", "S2", "S3"])
        #expect(listing.device(named: "").names == [])
        _ = try known.setAlias("Sensor", for: "S3")
        listing = try known.list()
        #expect(listing.device(named: "sensor").serial == "S3")
    }

    @Test("What names no device is answered with the nearest names")
    func near() throws {
        try meet("S1", at: "A", name: "bench-30")
        try meet("S2", at: "B", name: "x")
        _ = try known.setAlias("bench-03", for: "S2")
        guard case .unknown(let near) = try known.list().device(named: "bench-3") else {
            Issue.record("bench-3 is nobody's name")
            return
        }
        #expect(near.sentence == "no device is called 'bench-3'; near: bench-03, bench-30")
    }

    @Test("Many that remember at once lose nothing, and an address ends up with one of them")
    func manyAtOnce() throws {
        let known = known
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            for peer in ["shared", "own-\(index)"] {
                _ = try? known.remember(
                    serial: "S\(index)", model: "m", name: nil, peer: PeerID(peer), now: 1)
            }
        }
        let listing = try known.list()
        #expect(listing.devices.count == 16)
        #expect(listing.devices(at: PeerID("shared")).count == 1)
        for index in 0..<16 {
            #expect(listing.devices(at: PeerID("own-\(index)")).map(\.serial) == ["S\(index)"])
        }
    }
}

extension KnownDevices.Answer {
    /// The nearest names, where nobody is meant.
    fileprivate var names: [String]? {
        guard case .unknown(let near) = self else { return nil }
        return near.names
    }

    fileprivate var serial: String? {
        guard case .device(let device) = self else { return nil }
        return device.serial
    }
}
