import Testing

@testable import BargeCLI

@Suite("JSON")
struct JSONTests {
    /// Texts by RFC 8259, section 7, typed by hand.
    @Test(
        "Strings are escaped as RFC 8259 asks",
        arguments: [
            ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{1F}", #""\u0000\u001f""#), ("\u{1B}[0m", #""\u001b[0m""#),
            ("\u{7F}\u{85}\u{2028}", #""\u007f\u0085\u2028""#), ("ü€😀", #""ü€😀""#), ("/", #""/""#),
            ("\r\n", #""\r\n""#),
        ])
    func strings(string: String, text: String) {
        #expect(JSONValue.string(string).text == text)
    }

    @Test("Bytes that are not UTF-8 become the replacement character")
    func repairs() {
        #expect(JSONValue.text([0x61, 0xFF, 0x62]).text == "\"a\u{FFFD}b\"")
        #expect(JSONValue.text([0xED, 0xA0, 0x80]).text.contains("\u{FFFD}"))
    }

    @Test("Integers are exact to their last digit")
    func integers() {
        #expect(JSONValue.unsigned(.max).text == "18446744073709551615")
        #expect(JSONValue.integer(.min).text == "-9223372036854775808")
    }

    @Test("Numbers are written so that they read back equal; what is not finite is null")
    func numbers() {
        for number in [0.1, 1.0, 1e300, .leastNonzeroMagnitude, -2.5, 1e21, 123_456_789.125] {
            let text = JSONValue.number(number).text
            #expect(Double(text) == number)
            #expect(text.first?.isNumber == true || text.hasPrefix("-"))
        }
        #expect(JSONValue.number(.nan).text == "null")
        #expect(JSONValue.number(-.infinity).text == "null")
    }

    @Test("Objects keep their order, and nest")
    func nesting() {
        let value = JSONValue.object([
            JSONMember("b", .array([.null, .boolean(true), .object([])])),
            JSONMember("a\n", .array([])),
        ])
        #expect(value.text == #"{"b":[null,true,{}],"a\n":[]}"#)
    }

    @Test(
        "Python reads back what was written, all characters of the first plane included",
        .enabled(if: Binary.find("python3") != nil))
    func python() throws {
        let scalars = (0...0xFFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        var everything = ""
        everything.unicodeScalars.append(contentsOf: scalars)
        let value = JSONValue.object([
            JSONMember("all", .string(everything)), JSONMember("max", .unsigned(.max)),
            JSONMember("tiny", .number(.leastNonzeroMagnitude)),
        ])
        let program = """
            import json, sys
            lines = sys.stdin.buffer.read().decode("utf-8").splitlines()
            value = json.loads(lines[0])
            wanted = "".join(chr(c) for c in range(0x10000) if not 0xD800 <= c < 0xE000)
            print(len(lines), value["all"] == wanted, value["max"] == 2**64 - 1,
                  value["tiny"] == 5e-324)
            """
        let python = try #require(Binary.find("python3"))
        let answer = try Binary.run(python, ["-c", program], input: value.text + "\n")
        #expect(answer.output == "1 True True True\n", "\(answer.errors)")
    }
}
