import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("A device's answers to attribute requests")
struct AttributeServerTests {
    /// The test device's handles: service 1, input 2 and 3, output 4 to 6, readable 7 and 8.
    private static let (input, output, readable): (UInt16, UInt16, UInt16) = (3, 5, 8)
    private static let configuration: UInt16 = 6

    struct Request: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pdu: AttributePDU
        /// The error's code; nil for a response.
        let error: UInt8?

        init(_ name: String, _ pdu: AttributePDU, _ error: ATTError? = nil) {
            testDescription = name
            self.pdu = pdu
            self.error = error?.code
        }
    }

    /// Core 5.4, Vol 3, Part F, 3.4: each request, good and bad.
    static let requests: [Request] = [
        Request("exchange MTU", .exchangeMTURequest(100)),
        Request("a service", .findServiceRequest(TestDevice.service)),
        Request("no such service", .findServiceRequest(.init(0x1234)), .attributeNotFound),
        Request("declarations", .readByTypeRequest(1...0xFFFF)),
        Request("no declarations", .readByTypeRequest(9...0xFFFF), .attributeNotFound),
        Request("a configuration", .findInformationRequest(configuration)),
        Request("no configuration", .findInformationRequest(99), .attributeNotFound),
        Request("handle 0", .findInformationRequest(0), .invalidHandle),
        Request("read", .readRequest(readable)),
        Request("read nothing", .readRequest(99), .invalidHandle),
        Request("read handle 0", .readRequest(0), .invalidHandle),
        Request("read what is written", .readRequest(input), .readNotPermitted),
        Request("read a configuration", .readRequest(configuration)),
        Request("read on", .readBlobRequest(readable, offset: 2)),
        Request("read the end", .readBlobRequest(readable, offset: 3)),
        Request("read beyond", .readBlobRequest(readable, offset: 4), .invalidOffset),
        Request("write", .writeRequest(input, [0])),
        Request("write nothing", .writeRequest(99, [0]), .invalidHandle),
        Request("write what is read", .writeRequest(readable, [0]), .writeNotPermitted),
        Request(
            "write too much", .writeRequest(input, [UInt8](repeating: 0, count: 513)),
            .invalidAttributeValueLength),
        Request("write what is refused", .writeRequest(input, [0x80]), ATTError(code: 0x80)),
        Request("configure", .writeRequest(configuration, [1, 0])),
        Request(
            "configure with one byte", .writeRequest(configuration, [1]),
            .invalidAttributeValueLength),
        // Read Multiple, Read By Group Type, Prepare Write, Execute Write, Read Multiple Variable,
        // and numbers that nobody has assigned.
        Request("0x0E", .other(0x0E, parameterBytes: 4), .requestNotSupported),
        Request("0x10", .other(0x10, parameterBytes: 6), .requestNotSupported),
        Request("0x16", .other(0x16, parameterBytes: 18), .requestNotSupported),
        Request("0x18", .other(0x18, parameterBytes: 1), .requestNotSupported),
        Request("0x20", .other(0x20, parameterBytes: 4), .requestNotSupported),
        Request("0x00", .other(0x00, parameterBytes: 0), .requestNotSupported),
        Request("0x3F", .other(0x3F, parameterBytes: 300), .requestNotSupported),
        Request("0xBF", .other(0xBF, parameterBytes: 1), .requestNotSupported),
    ]

    private func answers(to pdu: AttributePDU, _ bench: Bench) throws -> [AttributePDU] {
        let link = try bench.world.link(bench.link)
        let outgoing = link.outgoing.peripheral
        let before = outgoing.attributes.count
        bench.world.serve(pdu, on: link)
        return (before..<outgoing.attributes.count).map { outgoing.attributes[$0] }
    }

    @Test("Each request has one answer, the same one each time", arguments: requests)
    func once(request: Request) throws {
        let bench = try Bench()
        bench.device.refusedCodes = [0x80]
        for _ in 0..<2 {
            let answers = try answers(to: request.pdu, bench)
            #expect(answers.count == 1)
            guard case .errorResponse(let error) = answers.first else {
                #expect(request.error == nil)
                continue
            }
            #expect(error.code == request.error)
        }
    }

    @Test("No command, no confirmation and nothing that a server sends has an answer")
    func never() throws {
        let bench = try Bench()
        bench.device.refusedCodes = [0x80]
        let commands: [AttributePDU] = [
            .writeCommand(Self.input, [0]), .writeCommand(99, [0]),
            .writeCommand(Self.input, [0x80]),
            .writeCommand(Self.readable, [0]), .writeCommand(0, []),
            .writeCommand(Self.input, [UInt8](repeating: 0, count: 513)),
            .notification(Self.output, [1]), .writeResponse, .errorResponse(.invalidHandle),
            .exchangeMTUResponse(23), .readResponse([1]), .findInformationResponse(3),
        ]
        // Commands carry bit 6, signed ones bit 7 as well; the rest are what servers send (Core
        // 5.4, Vol 3, Part F, 3.4.8).
        let opcodes: [UInt8] = [
            0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D,
            0x1E, 0x21, 0x23, 0x40, 0x52, 0x7F, 0xD2, 0xFF,
        ]
        for pdu in commands + opcodes.map({ .other($0, parameterBytes: 3) }) {
            #expect(try answers(to: pdu, bench).isEmpty)
            #expect(try answers(to: pdu, bench).isEmpty)
        }
        bench.world.run(until: bench.world.after(seconds: 1))
        #expect(bench.device.values == [[0], [0]], "the good one came twice, no other one came")
    }

    @Test("An application refuses a value with its own error, and the writer learns of it")
    func refusal() throws {
        let bench = try Bench()
        bench.device.refusedCodes = [0x81, 0x13]
        let input = try bench.characteristic(TestDevice.input)
        func write(_ value: [UInt8]) throws {
            try bench.world.write(
                value, to: input, on: bench.link, until: bench.world.after(seconds: 1))
        }
        #expect(throws: BluetoothError.attribute(ATTError(code: 0x81))) { try write([0x81, 1]) }
        #expect(throws: BluetoothError.attribute(.valueNotAllowed)) { try write([0x13]) }
        try write([1, 0x81])
        #expect(bench.device.values == [[1, 0x81]])
    }
}
