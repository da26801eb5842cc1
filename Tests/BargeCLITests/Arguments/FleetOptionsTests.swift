import Barge
import Testing

@testable import BargeCLI

@Suite("The options for many devices")
struct FleetOptionsTests {
    private func parse(_ line: String) throws -> ParsedArguments {
        let words = line.split(separator: " ").map { String($0) }
        guard
            case .run(let arguments) = try ArgumentParser(root: BargeCommand.declaration)
                .parse(words)
        else {
            throw UsageFailure.usage("no-command", what: line, why: "", advice: "")
        }
        return arguments
    }

    @Test("All of them are read, and an adapter's links are the jobs where none are asked for")
    func settings() throws {
        let settings = FleetSettings(
            try parse(
                "flash a --all --name Pump* --service 180a --jobs 7 --canary 2 --max-failures 2.5%"
                    + " --report out.XML"))
        #expect(settings.search == .init(namePattern: "Pump*", service: "180A"))
        #expect(settings.report == "out.XML")
        let expected = FleetPlan(jobs: 7, canaries: 2, failureLimit: .percent(2.5))
        #expect(settings.plan(adapterLinks: 3) == expected)

        let plain = FleetSettings(try parse("flash a sim:b sim:c"))
        #expect(plain.search == nil && plain.report == nil)
        #expect(plain.plan(adapterLinks: 5) == FleetPlan(jobs: 5))
        #expect(plain.plan(adapterLinks: 0) == FleetPlan(jobs: 1))
        #expect(plain.plan(adapterLinks: 9_999) == FleetPlan(jobs: FleetPlan.mostJobs))
    }

    @Test("More canaries than devices are no slip, and a device may be named twice")
    func allowed() throws {
        let arguments = try parse("flash a sim:b sim:c sim:b --canary 50")
        #expect(arguments[FlashCommand.devices] == ["sim:b", "sim:c", "sim:b"])
        #expect(FleetSettings(arguments).canaries == 50)
    }

    @Test(
        "What makes no sense is a slip, each with its identifier",
        arguments: [
            ("flash a sim:b --all", "contradiction"), ("flash a", "missing-argument"),
            ("flash a sim:b --name x", "missing-option"),
            ("flash a sim:b --service 180A", "missing-option"),
            ("flash a sim:b --jobs 0", "bad-value"), ("flash a sim:b --jobs 257", "bad-value"),
            ("flash a sim:b --canary 0", "bad-value"), ("flash a --all --report x", "bad-value"),
            ("flash a --all --report x.html", "bad-value"),
            ("flash a --all --report .json", "bad-value"),
            ("flash a sim:b --max-failures 101%", "bad-value"),
            ("flash a sim:b --canary 1 --no-reboot", "contradiction"),
            ("flash sim:a b sim:c", "swapped-arguments"),
            ("pull --all a.log", "missing-option"),
            ("pull sim:b a.log --report x.json", "missing-option"),
            ("pull --into d a.log", "missing-argument"),
            ("pull --into d --all a.log sim:b", "contradiction"),
            ("pull --into d sim:b a.log", "swapped-arguments"),
        ])
    func slips(line: String, identifier: String) {
        let failure = #expect(throws: Failure.self) { try parse(line) }
        #expect(failure?.identifier == identifier, "\(String(describing: failure))")
        #expect(failure?.exitCode == .usage)
    }

    @Test(
        "A limit of failures is a number or a share",
        arguments: [
            ("0", .count(0)), ("17", .count(17)), ("100", .count(100)), ("101", nil),
            ("0%", .percent(0)), ("2.5%", .percent(2.5)), ("100%", .percent(100)),
            ("100.1%", nil), ("%", nil), ("5%%", nil), ("-1", nil), ("-1%", nil), ("1.5", nil),
            ("nan%", nil), ("", nil), ("5 %", nil),
        ] as [(String, FailureLimit?)])
    func limits(text: String, limit: FailureLimit?) {
        #expect(ValueKind.failureLimit(most: 100).parse(text) == limit)
    }

    @Test("A pull reads as before, and with --into the file stands before the devices")
    func pullForms() throws {
        let one = try parse("pull sim:b a.log there.log")
        #expect(PullCommand.way(one) == .one(device: "sim:b", file: "there.log"))
        #expect(PullCommand.way(try parse("pull sim:b a.log -")).isToStandardOutput)
        let many = try parse("pull --into logs a.log sim:b sim:c")
        #expect(PullCommand.way(many) == .many(devices: ["sim:b", "sim:c"], directory: "logs"))
        #expect(many[PullCommand.name] == "a.log")
        let all = try parse("pull a.log --all --into logs")
        #expect(PullCommand.way(all) == .many(devices: [], directory: "logs"))
    }

    @Test("The line for one device alone has that device, and nothing of the many")
    func alone() throws {
        let line = try parse("flash a sim:b sim:c --jobs 2 --canary 1 --force --psm 0x80")
        let one = line.alone("sim:c")
        #expect(one[FlashCommand.devices] == ["sim:c"] && one.device == "sim:c")
        #expect(one[FlashCommand.force] && one[LinkOptions.psm] == 0x80)
        #expect(FleetOptions.areGiven(line) && !FleetOptions.areGiven(one))
        let pull = try parse("pull --into logs a.log sim:b sim:c --jobs 2").alone("sim:b")
        #expect(PullCommand.way(pull) == .many(devices: ["sim:b"], directory: "logs"))
    }

    /// RFC 3986, 2.1: the digits of %2F are those of "/" in ASCII, of %C3%97 those of U+00D7.
    @Test(
        "A device's directory is called as the device, without what leads elsewhere",
        arguments: [
            ("sim:bench-3", "sim:bench-3"), ("C0:FF:EE:00:11:22", "C0:FF:EE:00:11:22"),
            ("Pump 7", "Pump 7"), ("Würze", "Würze"), ("a/b", "a%2Fb"), ("..", "%2E."),
            (".a.b", "%2Ea.b"), ("a%2Fb", "a%252Fb"), ("\u{0}\n", "%00%0A"), ("×", "%C3%97"),
        ])
    func folders(device: String, name: String) {
        #expect(DeviceFolder.name(for: device) == name)
    }
}
