import Testing

@testable import BargeCLI

@Suite("Kinds of values")
struct ValueKindTests {
    @Test(
        "Whole numbers are decimal or hexadecimal, and nothing else",
        arguments: [
            ("0", 0), ("255", 255), ("0xFF", 255), ("0Xff", 255), ("007", 7), ("256", nil),
            ("-1", nil), ("+1", nil), ("", nil), ("0x", nil), ("1e2", nil), ("1.0", nil),
            ("99999999999999999999", nil), (" 1", nil), ("0x-1", nil), ("٣", nil),
        ] as [(String, Int?)])
    func integers(text: String, value: Int?) {
        #expect(ValueKind.integer(0...255).parse(text) == value)
    }

    @Test(
        "Decimal numbers have digits and at most one point",
        arguments: [
            ("0", 0), ("0.25", 0.25), ("1", 1), ("1.01", nil), ("-0.1", nil), ("nan", nil),
            ("inf", nil), ("1e-3", nil), (".5", nil), ("1.", nil), ("0x1p-1", nil), ("", nil),
            ("0.2.5", nil),
        ] as [(String, Double?)])
    func decimals(text: String, value: Double?) {
        #expect(ValueKind.decimal(0...1).parse(text) == value)
    }

    @Test(
        "Sizes take binary and decimal units",
        arguments: [
            ("4096", 4_096), ("64KiB", 65_536), ("64k", 65_536), ("1M", 1_048_576),
            ("1MB", 1_000_000), ("2kB", 2_000), ("1gib", 1_073_741_824), ("0x1000", nil),
            ("1.5M", nil), ("M", nil), ("12Q", nil), ("9223372036854775807K", nil), ("", nil),
            ("-1", nil),
        ] as [(String, Int?)])
    func sizes(text: String, value: Int?) {
        #expect(ValueKind.byteCount(1...(1 << 40)).parse(text) == value)
    }

    @Test(
        "Times take milliseconds, seconds, minutes and hours; a number alone counts seconds",
        arguments: [
            ("500ms", .milliseconds(500)), ("5s", .seconds(5)), ("2m", .seconds(120)),
            ("1.5s", .milliseconds(1_500)), ("1h", .seconds(3_600)), ("7", .seconds(7)),
            ("5 s", nil), ("s", nil), ("-5s", nil), ("5d", nil), ("0.1ms", nil), ("", nil),
            ("99999999999999999999h", nil),
        ] as [(String, Duration?)])
    func times(text: String, value: Duration?) {
        let kind = ValueKind.duration(.milliseconds(1)...(.seconds(86_400)))
        #expect(kind.parse(text) == value)
    }

    @Test("Ranges of sizes and times are told in the units that people use")
    func rangesInWords() {
        let size = ValueKind.byteCount(512...65_536).description.expectation
        #expect(size.hasPrefix("a size from 512 to 64KiB"))
        let time = ValueKind.duration(.milliseconds(100)...(.seconds(5_400))).description
        #expect(time.expectation.hasPrefix("a time from 100ms to 90m"))
    }

    @Test(
        "A simulated device has a name that is safe as a directory's, with or without sim:",
        arguments: [
            ("demo", "demo"), ("sim:demo", "demo"), ("a-b_c.1", "a-b_c.1"), ("", nil),
            ("sim:", nil), ("..", nil), (".a", nil), ("-a", nil), ("a/b", nil), ("a b", nil),
            ("ä", nil), ("a\u{0}", nil), ("sim:sim:a", nil),
            (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
            (String(repeating: "x", count: 65), nil),
        ] as [(String, String?)])
    func simulatedNames(text: String, value: String?) {
        #expect(ValueKind.simulatedDevice(completion: .nothing).parse(text) == value)
    }

    @Test(
        "A device is any name, but behind sim: a name that can exist",
        arguments: [
            ("sim:demo", "sim:demo"), ("C0:FF:EE:00:11:22", "C0:FF:EE:00:11:22"),
            ("Pump 7", "Pump 7"), ("sim:../x", nil), ("sim:", nil), ("", nil), ("-", nil),
        ] as [(String, String?)])
    func devices(text: String, value: String?) {
        #expect(ValueKind.device.parse(text) == value)
    }

    @Test(
        "UUIDs have 16, 32 or 128 bits",
        arguments: [
            ("2a06", "2A06"), ("0000fe59", "0000FE59"),
            ("abdd3056-28fa-441d-a470-55a75a52553a", "ABDD3056-28FA-441D-A470-55A75A52553A"),
            ("2A0", nil), ("abdd305628fa441da47055a75a52553a", nil), ("2A0G", nil), ("", nil),
            ("abdd3056-28fa-441d-a470-55a75a52553", nil), ("----", nil), ("２Ａ０６", nil),
        ] as [(String, String?)])
    func uuids(text: String, value: String?) {
        #expect(ValueKind.uuid.parse(text) == value)
    }

    @Test("A path is refused if it is empty, and a dash where there is no stream")
    func paths() {
        #expect(ValueKind.path().parse("a b/ü") == "a b/ü")
        #expect(ValueKind.path().parse("") == nil)
        #expect(ValueKind.path().parse("-") == nil)
        #expect(ValueKind.path(takesStandardStream: true).parse("-") == "-")
    }
}
