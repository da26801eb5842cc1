import Barge

extension ValueKind where Value == Passkey {
    /// Six digits that a device shows or has printed on it.
    static var passkey: Self {
        ValueKind(placeholder: "NNNNNN", expectation: "six digits", isSecret: true) { Passkey($0) }
    }
}

extension ValueKind where Value == ManufacturerData {
    /// A company, and the bytes of its data: `0x0059:01FF`.
    static var manufacturer: Self {
        ValueKind(
            placeholder: "COMPANY[:HEX]",
            expectation: "a company's four hexadecimal digits and perhaps its data's, up to "
                + "\(mostAdvertisedBytes) bytes of them: 0x0059:01FF"
        ) { ManufacturerData(text: $0) }
    }
}

extension ValueKind where Value == ScanFilter.ServiceData {
    /// A service, and the bytes of its data: `FEAA:10EB`.
    static var serviceData: Self {
        ValueKind(
            placeholder: "UUID[:HEX]",
            expectation: "a service's UUID and perhaps its data's hexadecimal digits, up to "
                + "\(mostAdvertisedBytes) bytes of them: FEAA:10EB"
        ) { ScanFilter.ServiceData(text: $0) }
    }
}
