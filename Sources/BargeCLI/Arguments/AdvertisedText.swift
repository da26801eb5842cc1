import Barge

/// The number that a sign and digits stand for.
func signedNumber(_ text: some StringProtocol) -> Int? {
    text.hasPrefix("-") ? wholeNumber(text.dropFirst()).map { -$0 } : wholeNumber(text)
}

extension ManufacturerData {
    /// `0x0059:01FF`: the company, and the bytes that its data begins with.
    var text: String {
        "0x" + Hexadecimal.text([UInt8(company >> 8), UInt8(company & 0xFF)]).uppercased()
            + tail(bytes)
    }

    /// Reads `0059`, `0x0059:01ff` and the like; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts[0].hasPrefix("0x") ? parts[0].dropFirst(2) : parts[0]
        guard digits.count == 4, let company = dataBytes(ofHexadecimal: digits),
            let bytes = parts.count == 2 ? dataBytes(ofHexadecimal: parts[1]) : []
        else { return nil }
        self.init(company: UInt16(company[0]) << 8 | UInt16(company[1]), bytes: bytes)
    }
}

extension ScanFilter.ServiceData {
    /// `FEAA:10EB`: the service, and the bytes that its data begins with.
    var text: String { "\(service)\(tail(prefix))" }

    /// Reads `FEAA`, `FEAA:10eb` and the like; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let service = BluetoothUUID(String(parts[0])),
            let bytes = parts.count == 2 ? dataBytes(ofHexadecimal: parts[1]) : []
        else { return nil }
        self.init(service: service, prefix: bytes)
    }
}

private func tail(_ bytes: [UInt8]) -> String {
    bytes.isEmpty ? "" : ":" + Hexadecimal.text(bytes).uppercased()
}

/// The most bytes that are read: an advertisement has 31 (Core 6.0, Vol 3, Part C, 11), four of
/// which are a length, a type, and a company or a short service.
let mostAdvertisedBytes = 27

/// As many bytes as an advertisement has room for at most; nil for anything but one or more pairs
/// of hexadecimal digits.
private func dataBytes(ofHexadecimal text: Substring) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard !digits.isEmpty, digits.count.isMultiple(of: 2),
        digits.count <= 2 * mostAdvertisedBytes
    else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
        let pair = String(decoding: digits[place...(place + 1)], as: UTF8.self)
        guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
        bytes.append(byte)
    }
    return bytes
}
