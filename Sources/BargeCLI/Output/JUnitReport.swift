import Barge

/// A report in the XML that build servers read: a test suite with a test case for each device.
///
/// JUnit has no specification. Elements and attributes are those of Ant's junitreport that Jenkins,
/// GitLab and the like agree on.
struct JUnitReport {
    private let report: FleetReport

    init(_ report: FleetReport) { self.report = report }

    /// The document, in UTF-8.
    var text: String {
        ([#"<?xml version="1.0" encoding="UTF-8"?>"#, suite, "  <properties>"] + properties
            + ["  </properties>"] + report.devices.flatMap(testCase) + ["</testsuite>", ""])
            .joined(separator: "\n")
    }

    private var suite: String {
        var (failures, errors, skipped) = (0, 0, 0)
        for device in report.devices {
            switch device.outcome {
            case .done: break
            case .failed: failures += 1
            case .notStarted where device.attempts > 0: errors += 1
            case .notStarted: skipped += 1
            }
        }
        let start = CalendarTime(secondsSince1970: report.startedSeconds).iso8601
        return Self.tag(
            "testsuite",
            [
                ("name", "barge \(report.verb.rawValue) \(report.name)"),
                ("tests", String(report.devices.count)), ("failures", String(failures)),
                ("errors", String(errors)), ("skipped", String(skipped)),
                ("time", Self.time(report.seconds)), ("timestamp", start),
            ])
    }

    private var properties: [String] {
        let digest = report.sha256.map { [("sha256", $0)] } ?? []
        let facts = [("verb", report.verb.rawValue), ("name", report.name)] + digest
        return facts.map { name, value in
            "    " + Self.tag("property", [("name", name), ("value", value)], isEmpty: true)
        }
    }

    private func testCase(_ device: FleetReport.Device) -> [String] {
        let opening = Self.tag(
            "testcase",
            [
                ("name", device.device), ("classname", "barge.\(report.verb.rawValue)"),
                ("time", Self.time(device.seconds ?? 0)),
            ])
        let output = XMLText.escaped(Self.facts(device))
        return ["  " + opening] + Self.verdict(device).map { "    " + $0 }
            + ["    <system-out>\(output)</system-out>", "  </testcase>"]
    }

    private static func verdict(_ device: FleetReport.Device) -> [String] {
        switch device.outcome {
        case .done: return []
        case .notStarted(let halt) where device.attempts > 0:
            // It was begun: a suite that was interrupted must not look like one that passed.
            return [
                tag("error", [("message", halt.words), ("type", halt.rawValue)], isEmpty: true)
            ]
        case .notStarted(let halt):
            return [tag("skipped", [("message", halt.words)], isEmpty: true)]
        case .failed(let failure):
            let reason = "\(failure.what): \(failure.why)"
            let opening = tag("failure", [("message", reason), ("type", failure.identifier)])
            let body = XMLText.escaped("\(reason)\ntry: \(failure.advice)")
            return [opening + body + "</failure>"]
        }
    }

    /// What JUnit has no attributes for, as `name=value` in lines.
    private static func facts(_ device: FleetReport.Device) -> String {
        let facts: [(String, String?)] = [
            ("result", device.outcome.word), ("serial", device.serial),
            ("bytes", device.bytes.map { String($0) }),
            ("sentBytes", device.sentBytes.map { String($0) }),
            ("attempts", String(device.attempts)),
        ]
        return facts.compactMap { name, value in value.map { "\(name)=\($0)" } }
            .joined(separator: "\n")
    }

    /// In seconds, with milliseconds behind the point.
    private static func time(_ seconds: Double) -> String { Quantity.fixed(seconds, digits: 3) }

    private static func tag(
        _ name: String, _ attributes: [(String, String)], isEmpty: Bool = false
    ) -> String {
        let texts = attributes.map { " \($0)=\"\(XMLText.escaped($1))\"" }
        return "<\(name)\(texts.joined())\(isEmpty ? "/" : "")>"
    }
}
