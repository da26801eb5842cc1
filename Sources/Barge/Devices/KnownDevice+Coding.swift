import Bluetooth

extension KnownDevice {
    static let kind = "barge-device"
    static let version = 1

    /// The record's bytes.
    func encoded() -> [UInt8] {
        SealedText(fields).encoded(kind: Self.kind, version: Self.version)
    }

    /// Reads a record.
    init(_ bytes: [UInt8]) throws(SealedText.Fault) {
        let text = try SealedText(bytes, kind: Self.kind, version: Self.version)
        guard let device = Self(text.fields), device.fields == text.fields else { throw .corrupt }
        self = device
    }

    /// The name of the record's file: a hash, so that no serial leads out of the folder.
    static func recordName(serial: String) -> String {
        FilePath.hash(serial) + recordSuffix
    }

    static let recordSuffix = ".device"

    private var fields: [SealedText.Field] {
        var fields: [SealedText.Field] = [
            .init(key: "serial", value: serial), .init(key: "model", value: model),
        ]
        if let name { fields.append(.init(key: "name", value: name)) }
        if let alias { fields.append(.init(key: "alias", value: alias.text)) }
        fields += peers.map { .init(key: "peer", value: $0.rawValue) }
        fields.append(.init(key: "seen", value: "\(lastSeenSeconds)"))
        return fields
    }

    private init?(_ fields: [SealedText.Field]) {
        var reader = FieldReader(rest: fields[...])
        guard let serial = reader.take("serial"), !serial.isEmpty,
            let model = reader.take("model")
        else { return nil }
        let name = reader.take("name")
        var alias: DeviceAlias?
        if let text = reader.take("alias") {
            guard let read = try? DeviceAlias(text) else { return nil }
            alias = read
        }
        var peers: [PeerID] = []
        while let peer = reader.take("peer") { peers.append(PeerID(peer)) }
        guard let seen = reader.take("seen").flatMap(UInt64.init), reader.rest.isEmpty,
            peers.count <= Self.mostPeers, Set(peers).count == peers.count
        else { return nil }
        self.init(
            serial: serial, model: model, peers: peers, name: name, alias: alias,
            lastSeenSeconds: seen)
    }
}
