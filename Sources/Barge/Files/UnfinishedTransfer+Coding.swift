extension UnfinishedTransfer {
    static let kind = "barge-transfer"
    static let version = 1

    /// The entry's bytes.
    func encoded() -> [UInt8] {
        SealedText(fields).encoded(kind: Self.kind, version: Self.version)
    }

    /// Reads an entry.
    init(_ bytes: [UInt8]) throws(SealedText.Fault) {
        let text = try SealedText(bytes, kind: Self.kind, version: Self.version)
        guard let entry = Self(text.fields), entry.fields == text.fields else { throw .corrupt }
        self = entry
    }

    /// The name of the entry's file: the same for the same transfer begun again.
    var entryName: String {
        let remoteKey: SealedText.Field = remoteField
        let parts = [verb.rawValue, device, remoteKey.key, remoteKey.value, localPath]
        // Each part with its length: no two lists run together into the same text.
        return FilePath.hash(parts.map { "\($0.utf8.count):\($0)" }.joined())
    }

    private var remoteField: SealedText.Field {
        switch remote {
        case .file(let name): .init(key: "file", value: name)
        case .image(let number): .init(key: "image", value: "\(number)")
        }
    }

    private var fields: [SealedText.Field] {
        var fields: [SealedText.Field] = [
            .init(key: "verb", value: verb.rawValue), .init(key: "device", value: device),
        ]
        if let deviceSerial { fields.append(.init(key: "serial", value: deviceSerial)) }
        fields.append(.init(key: "path", value: localPath))
        fields.append(remoteField)
        if let digest { fields.append(.init(key: "sha256", value: Hexadecimal.text(digest))) }
        if let length { fields.append(.init(key: "length", value: "\(length)")) }
        fields.append(.init(key: "started", value: "\(startedAtSeconds)"))
        fields.append(.init(key: "durable", value: "\(durableBytes)"))
        for option in options {
            fields.append(.init(key: "option", value: option.key))
            fields.append(.init(key: "value", value: option.value))
        }
        return fields
    }

    private init?(_ fields: [SealedText.Field]) {
        var reader = FieldReader(rest: fields[...])
        guard let verb = reader.take("verb").flatMap(Verb.init(rawValue:)),
            let device = reader.take("device")
        else { return nil }
        let serial = reader.take("serial")
        guard let path = reader.take("path"), let remote = reader.takeRemote() else { return nil }
        let digest = reader.take("sha256").flatMap(Hexadecimal.digest)
        let length = reader.take("length").flatMap(UInt64.init)
        guard let started = reader.take("started").flatMap(UInt64.init),
            let durable = reader.take("durable").flatMap(UInt64.init)
        else { return nil }
        var options: [Option] = []
        while let key = reader.take("option"), let value = reader.take("value") {
            options.append(Option(key: key, value: value))
        }
        guard reader.rest.isEmpty, options.count <= Self.mostOptions else { return nil }
        self.init(
            verb: verb, device: device, deviceSerial: serial, localPath: path, remote: remote,
            options: options, digest: digest, length: length, startedAtSeconds: started,
            durableBytes: durable)
    }
}

extension FieldReader {
    fileprivate mutating func takeRemote() -> UnfinishedTransfer.Remote? {
        if let name = take("file") { return .file(name) }
        return take("image").flatMap(UInt8.init).map { .image($0) }
    }
}
