import BargeProtocol
import Testing

/// Expected bytes: Python's `struct.pack("<BBI", …)` by the document's table.
@Suite("Control values of the GATT pipe")
struct GATTControlTests {
    private static let drawn: [(GATTControl, String)] = [
        (.open(limit: 32), "80 01 20000000"),
        (.opened(limit: 0x0102_0304), "81 01 04030201"),
        (.credit(limit: 0xFFFF_FFFF), "82 ffffffff"),
        (.probe(sent: 300), "83 2c010000"),
        (.broken(.gap), "84 01"),
        (.broken(.overLimit), "84 02"),
        (.broken(.malformed), "84 03"),
    ]

    @Test("They are as drawn, both ways")
    func vectors() {
        for (control, hex) in Self.drawn {
            var sink: [UInt8] = []
            control.encode(into: &sink)
            #expect(sink == bytes(hex: hex))
            #expect(GATTControl(bytes(hex: hex).span.bytes) == control)
        }
    }

    @Test("Shorter than drawn is nothing; longer is read as far as it is known (BTP-025)")
    func lengths() {
        for (control, hex) in Self.drawn {
            let value = bytes(hex: hex)
            for count in 0..<value.count {
                #expect(GATTControl(value.span.bytes.extracting(0..<count)) == nil)
            }
            #expect(GATTControl((value + [9, 9]).span.bytes) == control)
        }
    }

    @Test("Numbers, versions and reasons that are not drawn are nothing (BTP-025)")
    func unknown() {
        for hex in [
            "85 01000000", "ff 01 20000000", "84 00", "84 04", "80 00 20000000",
            "81 00 20000000", "81 02 20000000", "7f 01 20000000",
        ] {
            #expect(GATTControl(bytes(hex: hex).span.bytes) == nil, "\(hex)")
        }
    }

    @Test("OPEN of a later version is understood, so that OPENED can name ours (BTP-020)")
    func laterVersion() {
        #expect(GATTControl(bytes(hex: "80 02 20000000").span.bytes) == .open(limit: 32))
    }
}
