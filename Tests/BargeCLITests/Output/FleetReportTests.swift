import Barge
import Foundation
import Testing

@testable import BargeCLI

@Suite("The report of many devices")
struct FleetReportTests {
    private static let nasty = "a<b>&\"c'\u{0}\u{1B}\t\n\r]]>é泵😀\u{FFFE}\u{85}z"
    /// What XML 1.0, section 2.2, takes as it is; what it does not, as U+FFFD.
    private static let nastyRead =
        "a<b>&\"c'\u{FFFD}\u{FFFD}\t\n\r]]>é泵😀\u{FFFD}\u{FFFD}z"

    private static func report(name: String = "fw.bin") -> FleetReport {
        let failure = Failure(
            .verificationFailed, "image-reverted", what: nasty, why: "it fell back",
            advice: "look at <its> log")
        return FleetReport(
            verb: .flash, name: name, sha256: "abcd",
            // date -u -d @1764604800: 2025-12-01T16:00:00Z
            startedSeconds: 1_764_604_800, endedSeconds: 1_764_604_862, seconds: 61.25,
            exitCode: .verificationFailed,
            devices: [
                FleetReport.Device(
                    device: "sim:a", outcome: .done(.installed), serial: "S-1", bytes: 65_536,
                    sentBytes: 40_000, seconds: 12.5, attempts: 1),
                FleetReport.Device(
                    device: nasty, outcome: .failed(failure), bytes: 100, sentBytes: 90,
                    seconds: 3, attempts: 2),
                FleetReport.Device(
                    device: "sim:c", outcome: .notStarted(.tooManyFailures), attempts: 0),
            ])
    }

    @Test("The JSON has the documented members, of the documented types, and reads as this")
    func json() throws {
        let report = Self.report()
        guard case .object(let members) = report.json,
            case .array(let devices) = members.last?.value
        else {
            Issue.record("no object")
            return
        }
        conform(members, FleetReport.fields.map(\.description))
        for case .object(let members) in devices {
            conform(members, FleetReport.deviceFields.map(\.description))
        }
        #expect(
            JSONValue.object(Array(members.dropLast())).text
                == #"{"started":"2025-12-01T16:00:00Z","ended":"2025-12-01T16:01:02Z","#
                + #""seconds":61.25,"verb":"flash","name":"fw.bin","sha256":"abcd","exitCode":7}"#)
        #expect(
            devices.first?.text
                == #"{"device":"sim:a","serial":"S-1","result":"installed","error":null,"#
                + #""reason":null,"bytes":65536,"sentBytes":40000,"seconds":12.5,"attempts":1}"#)
        #expect(
            devices.last?.text
                == #"{"device":"sim:c","serial":null,"result":"not-done","#
                + #""error":"too-many-failures","reason":"too many failures","bytes":null,"#
                + #""sentBytes":null,"seconds":null,"attempts":0}"#)
        let read = try JSONSerialization.jsonObject(with: Data(report.json.text.utf8))
        let list = (read as? [String: Any])?["devices"] as? [[String: Any]]
        #expect(list?[1]["device"] as? String == Self.nasty)
    }

    private func conform(_ members: [JSONMember], _ fields: [FieldDescription]) {
        #expect(members.map(\.name) == fields.map(\.name))
        for (member, field) in zip(members, fields) {
            #expect(field.type.admits(member.value), "\(field.name)")
        }
    }

    /// What another implementation makes of the XML: each element as its tag, attributes and text.
    private func read(_ xml: String) throws -> [[String: Any]] {
        let script = """
            import json, sys, xml.etree.ElementTree as tree
            root = tree.fromstring(sys.stdin.buffer.read())
            json.dump([{"tag": e.tag, "attributes": e.attrib, "text": e.text or ""}
                       for e in root.iter()], sys.stdout)
            """
        let python = try #require(Binary.find("python3"))
        let answer = try Binary.run(python, ["-c", script], input: xml)
        #expect(answer.exitCode == 0, "\(answer.errors)")
        let value = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
        return value as? [[String: Any]] ?? []
    }

    @Test(
        "Python's parser reads from the XML what went in",
        .enabled(if: Binary.find("python3") != nil))
    func xml() throws {
        let elements = try read(JUnitReport(Self.report(name: Self.nasty)).text)
        let attributes = elements.map { $0["attributes"] as? [String: String] ?? [:] }
        #expect(
            elements.map { $0["tag"] as? String } == [
                "testsuite", "properties", "property", "property", "property", "testcase",
                "system-out", "testcase", "failure", "system-out", "testcase", "skipped",
                "system-out",
            ])
        #expect(
            attributes[0] == [
                "name": "barge flash " + Self.nastyRead, "tests": "3", "failures": "1",
                "errors": "0", "skipped": "1", "time": "61.250",
                "timestamp": "2025-12-01T16:00:00Z",
            ])
        #expect(
            attributes[5] == ["name": "sim:a", "classname": "barge.flash", "time": "12.500"])
        #expect(attributes[7]["name"] == Self.nastyRead)
        #expect(
            attributes[8] == [
                "message": Self.nastyRead + ": it fell back", "type": "image-reverted",
            ])
        #expect(
            elements[8]["text"] as? String
                == Self.nastyRead + ": it fell back\ntry: look at <its> log")
        #expect(attributes[11] == ["message": "too many failures"])
        #expect(
            elements[6]["text"] as? String
                == "result=installed\nserial=S-1\nbytes=65536\nsentBytes=40000\nattempts=1")
    }

    @Test(
        "A run without devices is an empty suite", .enabled(if: Binary.find("python3") != nil))
    func empty() throws {
        var report = Self.report()
        report.devices = []
        #expect(try read(JUnitReport(report).text).count == 5)
    }
}

@Suite("The file of a report")
struct FleetReportFileTests {
    private let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private let report = FleetReport(
        verb: .pull, name: "a.log", startedSeconds: 0, endedSeconds: 1, seconds: 1,
        exitCode: .done, devices: [])

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    @Test("The ending chooses the format", arguments: [("r.json", "{"), ("r.XML", "<?xml")])
    func formats(name: String, start: String) throws {
        try FleetReportFile(path: folder.path + "/" + name).write(report)
        #expect(try text(name).hasPrefix(start))
        #expect(try names() == [name])
    }

    @Test("What was there stays until the new report is whole, and nothing is left beside it")
    func replacing() throws {
        try Data("old".utf8).write(to: URL(filePath: folder.path + "/r.json"))
        let file = try FleetReportFile(path: folder.path + "/r.json")
        #expect(try text("r.json") == "old" && names() == ["r.json"])
        try file.write(report)
        #expect(try text("r.json").hasPrefix("{") && names() == ["r.json"])
    }

    @Test("A link stays, and the file that it leads to is replaced")
    func links() throws {
        try Data("old".utf8).write(to: URL(filePath: folder.path + "/real.json"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/r.json", withDestinationPath: "real.json")
        try FleetReportFile(path: folder.path + "/r.json").write(report)
        #expect(try text("real.json").hasPrefix("{"))
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path + "/r.json")
        #expect(link == "real.json")
    }

    @Test(
        "A path that cannot be written is told at once, with exit code 9",
        arguments: ["no/such/folder/r.json", "folder.json", "null.json", "a-file/r.json"])
    func unwritable(name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/folder.json", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/null.json", withDestinationPath: "/dev/null")
        try Data().write(to: URL(filePath: folder.path + "/a-file"))
        let before = try names()
        let failure = #expect(throws: Failure.self) {
            try FleetReportFile(path: folder.path + "/" + name)
        }
        #expect(failure?.exitCode == .localInputOutput)
        #expect(failure?.what == "cannot write the report '\(folder.path)/\(name)'")
        #expect(try names() == before)
    }

    @Test("A relative path counts from where barge was started")
    func relative() throws {
        let name = "barge-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try FleetReportFile(path: name).write(report)
        #expect(FileManager.default.fileExists(atPath: name))
    }
}
