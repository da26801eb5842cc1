/// What a partial file is a part of. It lies beside the part; how much there is, the part itself
/// tells.
struct PartJournal: Equatable, Sendable {
    /// The device, whatever its name and address are today.
    let deviceSerial: String
    /// The file's name there.
    let remoteName: String

    /// What was found beside a part.
    enum Reading: Equatable, Sendable {
        case missing
        case corrupt
        case newer(version: Int)
        case whole(PartJournal)
    }

    /// Reads the journal at `path`.
    static func read(_ path: String) throws(SystemError) -> Reading {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try AtomicFile.read(path, longest: SealedText.longestBytes)
        } catch {
            if LocalFileError(error, "", path: path).kind == .notFound { return .missing }
            if LocalFileError(error, "", path: path).kind == .notAFile { return .corrupt }
            throw error
        }
        do throws(SealedText.Fault) {
            let text = try SealedText(bytes, kind: kind, version: version)
            return PartJournal(text).map(Reading.whole) ?? .corrupt
        } catch {
            switch error {
            case .corrupt: return .corrupt
            case .newer(let version): return .newer(version: version)
            }
        }
    }

    /// Writes the journal at `path`.
    func write(_ path: String) throws(SystemError) {
        try AtomicFile.replace(path, with: encoded(), mode: 0o666)
    }

    func encoded() -> [UInt8] {
        SealedText([
            .init(key: "device", value: deviceSerial), .init(key: "name", value: remoteName),
        ]).encoded(kind: Self.kind, version: Self.version)
    }

    private init?(_ text: SealedText) {
        guard text.fields.map(\.key) == ["device", "name"] else { return nil }
        self.init(deviceSerial: text.fields[0].value, remoteName: text.fields[1].value)
    }

    init(deviceSerial: String, remoteName: String) {
        self.deviceSerial = deviceSerial
        self.remoteName = remoteName
    }

    private static let kind = "barge-part"
    private static let version = 1
}
