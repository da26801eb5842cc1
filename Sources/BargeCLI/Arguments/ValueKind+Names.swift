extension ValueKind where Value == String {
    /// Any text that is not empty.
    static func text(_ placeholder: String) -> Self {
        ValueKind(placeholder: placeholder, expectation: "a text that is not empty") { text in
            text.isEmpty ? nil : text
        }
    }

    /// A path on this computer.
    ///
    /// - Parameter takesStandardStream: whether `-` means standard input or output.
    static func path(_ placeholder: String = "FILE", takesStandardStream: Bool = false) -> Self {
        let expectation = takesStandardStream ? "a path, or - for a stream" : "a path"
        return ValueKind(placeholder: placeholder, expectation: expectation, completion: .files) {
            ($0.isEmpty || ($0 == "-" && !takesStandardStream)) ? nil : $0
        }
    }

    /// A directory on this computer.
    static var directory: Self {
        ValueKind(
            placeholder: "DIR", expectation: "the path of a directory", completion: .files
        ) { $0.isEmpty ? nil : $0 }
    }

    /// A device: an alias, an address, a name, or `sim:NAME`.
    static var device: Self {
        ValueKind(
            placeholder: "DEVICE",
            expectation: "an alias, an address, an advertised name or sim:NAME"
                + " ('barge help devices')",
            completion: .devices
        ) { text in
            if text.hasPrefix("sim:") {
                // An address as a scan prints it stands for the device, wherever it is by now.
                let parts = text.split(separator: "#", omittingEmptySubsequences: false)
                guard parts.count == 1 || parts.count == 2 && wholeNumber(parts[1]) != nil else {
                    return nil
                }
                return simulatedName(String(parts[0])).map { "sim:" + $0 }
            }
            return text.isEmpty || text == "-" ? nil : text
        }
    }

    /// The name of a simulated device, with or without its prefix `sim:`; read without it.
    static func simulatedDevice(completion: Completion) -> Self {
        ValueKind(
            placeholder: "NAME",
            expectation: "1 to 64 letters, digits, '-', '_' or '.', a letter or digit first",
            completion: completion, parse: simulatedName)
    }

    /// The most characters of a simulated device's name.
    static var longestSimulatedName: Int { 64 }

    /// A Bluetooth UUID of 16, 32 or 128 bits; read in upper case.
    static var uuid: Self {
        ValueKind(
            placeholder: "UUID",
            expectation: "a UUID such as 2A06 or ABDD3056-28FA-441D-A470-55A75A52553A",
            parse: uuidText)
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the names that `Value` has.
    static func choice(_: Value.Type = Value.self) -> Self {
        let names = Value.allCases.map(\.rawValue)
        return ValueKind(
            placeholder: names.joined(separator: "|"),
            expectation: "one of " + names.joined(separator: ", "),
            completion: .words(names), parse: { Value(rawValue: $0) })
    }
}

/// The name behind `sim:`. It becomes a directory's name, so it is held to what is safe as one.
@Sendable private func simulatedName(_ text: String) -> String? {
    let name = text.hasPrefix("sim:") ? text.dropFirst("sim:".count) : text[...]
    let isPlain = { (c: Character) in c.isASCII && (c.isLetter || c.isNumber) }
    guard (1...ValueKind<String>.longestSimulatedName).contains(name.count), let first = name.first,
        isPlain(first),
        name.allSatisfy({ isPlain($0) || "-_.".contains($0) })
    else { return nil }
    return String(name)
}

@Sendable private func uuidText(_ text: String) -> String? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let isHexadecimal = groups.allSatisfy {
        $0.utf8.count == $0.count && $0.allSatisfy(\.isHexDigit)
    }
    let lengths = groups.map(\.count)
    guard isHexadecimal, [[4], [8], [8, 4, 4, 4, 12]].contains(lengths) else { return nil }
    return text.uppercased()
}
