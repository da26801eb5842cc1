import Bluetooth
import Foundation
import Testing

@testable import Barge

@Suite("Giving a device an alias")
struct DeviceAliasAssignmentTests {
    let folder: TemporaryFolder
    let known: KnownDevices

    init() throws {
        folder = try TemporaryFolder()
        known = try KnownDevices(StateDirectory(path: folder.path))
        for index in 0..<8 {
            _ = try known.remember(
                serial: "S\(index)", model: "m", name: nil, peer: PeerID("P\(index)"), now: 1)
        }
    }

    private func refusal(_ alias: String?, for serial: String) -> DeviceAliasError? {
        do throws(DeviceAliasError) {
            _ = try known.setAlias(alias, for: serial)
            return nil
        } catch {
            return error
        }
    }

    @Test("An alias finds its device, can be changed, and can be taken away")
    func assigns() throws {
        #expect(refusal("Bench", for: "S1") == nil)
        #expect(try known.list().device(alias: "bench")?.serial == "S1")
        // Its own alias in another case is not taken.
        #expect(refusal("BENCH", for: "S1") == nil)
        #expect(refusal("roof", for: "S1") == nil)
        #expect(try known.list().device(alias: "bench") == nil)
        #expect(refusal(nil, for: "S1") == nil)
        #expect(try known.list().devices.allSatisfy { $0.alias == nil })
        #expect(refusal("bench", for: "S2") == nil)
    }

    @Test("An alias that another device has is refused, and whose it is is said")
    func taken() throws {
        #expect(refusal("Bench", for: "S1") == nil)
        let refused = try #require(refusal("bENCH", for: "S2"))
        guard case .taken(let alias, let owner) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(alias.text == "bENCH")
        #expect(owner.serial == "S1")
        #expect(try known.list().device(serial: "S2")?.alias == nil)
        let error = BargeError(refused)
        #expect(error.identifier == "alias-taken")
        #expect(error.why.contains("S1"))
    }

    @Test("An alias that would hide another device's serial is refused; one's own serial is not")
    func serials() throws {
        guard case .taken(_, let owner)? = refusal("s2", for: "S1") else {
            Issue.record("s2 is the serial of S2")
            return
        }
        #expect(owner.serial == "S2")
        #expect(refusal("s1", for: "S1") == nil)
    }

    @Test("A bad alias and a stranger are refused, each with a sentence")
    func bad() throws {
        #expect(refusal("sim:x", for: "S1") == .bad("sim:x", .likeSimulated))
        #expect(refusal("x", for: "S9") == .unknownDevice(serial: "S9"))
        let errors = [
            BargeError(.bad("sim:x", .likeSimulated)), BargeError(.unknownDevice(serial: "S9")),
        ]
        #expect(errors.map(\.identifier) == ["bad-alias", "device-not-known"])
        #expect(errors.map(\.kind) == [.localFileUnusable, .deviceNotFound])
        for error in errors {
            #expect(!error.what.isEmpty && !error.why.isEmpty && !error.advice.isEmpty)
        }
    }

    @Test("Of many that want one alias at once exactly one gets it")
    func race() throws {
        let known = known
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            _ = try? known.setAlias("bench", for: "S\(index)")
        }
        #expect(try known.list().devices.filter { $0.alias != nil }.count == 1)
    }

    @Test("A device that is remembered while it gets its alias loses neither")
    func mixed() throws {
        let known = known
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            for round in 0..<20 {
                if index == 0 {
                    _ = try? known.remember(
                        serial: "S1", model: "m", name: "n\(round)", peer: PeerID("P1"), now: 2)
                } else {
                    _ = try? known.setAlias("a\(round)", for: "S1")
                }
            }
        }
        let device = try #require(try known.list().device(serial: "S1"))
        #expect(device.alias?.text == "a19")
        #expect(device.name == "n19")
    }
}
