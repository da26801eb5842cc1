import Barge
import Foundation
import Testing

@testable import BargeCLI

@Suite("JSON events")
struct EventSchemaTests {
    private static let coc = RouteChoice(route: .coc, psm: 0x80, writeLength: 2_000)
    private static let gatt = RouteChoice(route: .gatt, reason: "no PSM was published")
    private static let result = TransferResult(
        outcome: .installed, bytes: 790_000, sentBytes: 420_000, resumedFrom: 4_096, route: coc,
        sha256: "ab", seconds: 1.5, linkSeconds: 4.25)
    private static let failure = Failure(
        .linkLost, "link-lost", what: "the link was lost", why: "out of range", advice: "go near")

    private static let samples: [ReportedEvent] = [
        .scanning, .connected(ConnectedLink(security: .encrypted)), .route(coc),
        .route(gatt),
        .started(
            StartedTransfer(operation: .flash, name: "u-boot.bin", bytes: 790_000, resumedFrom: 0)),
        .progress(ReportedProgress(bytes: 1, totalBytes: 2, sentBytes: 1, seconds: 0.5)),
        .durable(offset: 4_096), .verifying, .rebooting, .finished(result), .failed(failure),
    ]

    private func members(_ event: ReportedEvent, device: String? = "sim:demo") -> [JSONMember] {
        guard case .object(let members) = event.json(device: device) else { return [] }
        return members
    }

    @Test("The ten events of the contract are documented, under their names")
    func names() {
        let expected = [
            "scanning", "connected", "route", "started", "progress", "durable", "verifying",
            "rebooting", "finished", "failed",
        ]
        #expect(TransferEventSchema.all.map(\.name) == expected)
    }

    @Test("Every object starts with event and device", arguments: samples)
    func heads(event: ReportedEvent) {
        let members = members(event)
        #expect(members.prefix(2).map(\.name) == ["event", "device"])
        #expect(members.dropFirst().first?.value == .string("sim:demo"))
        #expect(self.members(event, device: nil).dropFirst().first?.value == .null)
    }

    @Test("Every object has the documented fields, of the documented types", arguments: samples)
    func conformance(event: ReportedEvent) throws {
        let members = members(event)
        guard case .string(let name) = members.first?.value else {
            Issue.record("no name")
            return
        }
        let schema = try #require(TransferEventSchema.all.first { $0.name == name })
        for member in members.dropFirst(2) {
            let field = try #require(schema.fields.first { $0.name == member.name })
            #expect(field.type.admits(member.value), "\(name).\(member.name)")
        }
        let always = schema.fields.filter { $0.presence == nil }.map(\.name)
        #expect(Set(always).isSubset(of: members.map(\.name)))
    }

    @Test("A route that is not CoC is followed by its reason, and CoC by none")
    func reasons() {
        let gatt = members(.route(Self.gatt)).map(\.name)
        #expect(gatt.firstIndex(of: "reason") == gatt.firstIndex(of: "route").map { $0 + 1 })
        #expect(!members(.route(Self.coc)).map(\.name).contains("reason"))
    }

    @Test("A finished transfer reads as the contract says")
    func finished() {
        let expected =
            #"{"event":"finished","device":"sim:demo","result":"installed","bytes":790000,"#
            + #""sentBytes":420000,"resumedFrom":4096,"route":"coc","sha256":"ab","seconds":1.5,"#
            + #""linkSeconds":4.25}"#
        #expect(ReportedEvent.finished(Self.result).json(device: "sim:demo").text == expected)
    }

    @Test("A failed command reads as the contract says")
    func failed() {
        let expected =
            #"{"event":"failed","device":null,"exitCode":8,"error":"link-lost","#
            + #""reason":"the link was lost: out of range","advice":"go near"}"#
        #expect(ReportedEvent.failed(Self.failure).json(device: nil).text == expected)
    }

    @Test("The results are those of the contract")
    func outcomes() {
        let names = TransferResult.Outcome.allCases.map(\.rawValue)
        #expect(names == ["installed", "already-installed", "copied", "unchanged"])
    }
}

@Suite("Records of JSON events")
struct RecordConformanceTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    @Test("What scan, pair and forget say is documented, field by field, and nothing is missing")
    func conformance() throws {
        let lines = [
            "scan", "scan --remember pump", "scan --known", "pair sim:demo", "forget pump",
        ]
        var seen: Set<String> = []
        for line in lines {
            for object in try state.run(line + " --json").objects() {
                let name = try #require(object["event"] as? String)
                seen.insert(name)
                let event = try #require(EventWords.all.first { $0.name == name }, "\(name)")
                let documented = event.fields.map(\.name) + ["event", "device"]
                #expect(Set(object.keys) == Set(documented), "\(line)")
            }
        }
        #expect(seen == ["found", "remembered", "known", "paired", "forgotten"])
    }
}

@Suite("Facts of JSON events")
struct FactWordsTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    @Test("What is printed is documented, of that type, and what is always there is printed")
    func conformance() throws {
        let image = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "images").path
        let key = image + "/keys/TEST-ONLY-ecdsa-p256.pub.pem"
        let signed = image + "/sample-1.1.0-ecdsa-p256"
        let asked: [([String], [FieldDescription])] = [
            (["info", "sim:demo"], FactWords.information),
            (["info", "--transport", "gatt", "sim:demo"], FactWords.information),
            (["image", "inspect", signed + ".bin"], FactWords.image),
            (["image", "inspect", signed + ".uf2"], FactWords.image),
            (["image", "inspect", image + "/sample-1.0.0.elf"], FactWords.image),
            (["image", "verify", signed + ".hex", "--key", key], FactWords.image),
            (["sim", "create", "x"], FactWords.simulated),
            (["sim", "list"], FactWords.simulated),
            (["sim", "reboot", "x"], FactWords.simulated),
        ]
        for (words, documented) in asked {
            let facts = try Binary.run(
                Binary.directory.appending(path: "barge").path,
                words + ["--json", "--state-dir", state.path]
            ).facts()
            #expect(!facts.isEmpty, "\(words)")
            for (name, value) in facts {
                let field = documented.first { $0.name == name }
                #expect(field.map { admits($0.type, value) } == true, "\(words): \(name)")
            }
            let always = documented.filter { $0.presence == nil }.map(\.name)
            #expect(Set(always).isSubset(of: facts.keys), "\(words)")
        }
    }

    /// Foundation knows of numbers only whether they are truth values: those are of type `c`.
    private func admits(_ type: FieldType, _ value: Any) -> Bool {
        let isBoolean = (value as? NSNumber).map { String(cString: $0.objCType) == "c" }
        return switch type {
        case .string: value is String
        case .integer, .number: isBoolean == false
        case .boolean: isBoolean == true
        case .object: value is [String: Any]
        case .array: value is [Any]
        case .choice(let words): (value as? String).map(words.contains) ?? false
        case .nullable(let type): value is NSNull || admits(type, value)
        }
    }
}
