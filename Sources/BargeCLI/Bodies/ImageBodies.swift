import Barge

extension ImageInspectCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let (file, digest, hashCheck) = try read(arguments[file])
        let facts = ImageFacts(file: file, sha256: digest, hashCheck: hashCheck)
        if console.settings.json {
            console.json(RecordSchema.image.json(facts.all, device: nil))
        } else {
            console.lines(Fact.lines(facts.all.filter { $0.name != ImageFacts.notesName }))
            for note in file.image.notes {
                console.line((note.isWarning ? "warning: " : "note: ") + note.sentence.printable)
            }
        }
        if let outcome = hashCheck?.failedOutcome { throw Failure(file.error(for: outcome)) }
        return .done
    }

    private static func read(
        _ path: String
    ) throws(Failure) -> (file: FirmwareFile, sha256: [UInt8], hash: HashCheck?) {
        do throws(BargeError) {
            let file = try FirmwareFile.read(path: path)
            return (file, try file.sha256(), try file.checkHash())
        } catch {
            throw Failure(error)
        }
    }
}

extension ImageVerifyCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let (file, sha256, outcome) = try verify(arguments[file], key: arguments[key])
        guard case .valid(let kind) = outcome else {
            throw Failure(file.error(for: outcome))
        }
        if console.settings.json {
            let facts =
                ImageFacts(file: file, sha256: sha256, hashCheck: nil).all + [
                    .text("verifiedBy", "verified by", kind.rawValue)
                ]
            console.json(RecordSchema.image.json(facts, device: nil))
        } else {
            console.news("\(file.name): the digest and the \(kind.rawValue) signature are valid")
        }
        return .done
    }

    private static func verify(
        _ path: String, key: String
    ) throws(Failure) -> (FirmwareFile, [UInt8], VerificationOutcome) {
        do throws(BargeError) {
            let file = try FirmwareFile.read(path: path)
            return (file, try file.sha256(), try file.verify(keyPath: key))
        } catch {
            throw Failure(error)
        }
    }
}

/// What there is to tell of a firmware file.
struct ImageFacts {
    let file: FirmwareFile
    /// Of the bytes that go to a device.
    let sha256: [UInt8]
    let hashCheck: HashCheck?

    /// The fact that has the notes; people get them as lines of their own.
    static let notesName = "notes"

    var all: [Fact] {
        let image = file.image
        var facts: [Fact] = [
            .text("name", "file", file.name),
            .text("format", "format", image.format.rawValue, for: image.format.displayName),
            .size("fileSize", "file size", file.fileByteCount),
            .size("imageSize", "image size", image.payload.count),
            .text("sha256", "SHA-256", sha256.hexadecimal),
        ]
        if let address = image.baseAddress {
            facts.append(.address("baseAddress", "base", address))
        }
        if let address = image.entryAddress {
            facts.append(.address("entryAddress", "entry", address))
        }
        if let uf2 = image.uf2 { facts += Self.facts(uf2) }
        if let mcuboot = image.mcuboot { facts += self.facts(mcuboot) }
        let notes = image.notes.map { JSONValue.string($0.sentence) }
        return facts + [Fact(Self.notesName, label: "notes", .array(notes), text: "")]
    }

    private static func facts(_ uf2: UF2Description) -> [Fact] {
        var facts: [Fact] = [.count("uf2Blocks", "UF2 blocks", uf2.blockCount)]
        if let family = uf2.familyID {
            facts.append(.address("uf2Family", "UF2 family", UInt64(family)))
        }
        if let version = uf2.version { facts.append(.text("version", "version", version)) }
        if let device = uf2.deviceDescription { facts.append(.text("target", "target", device)) }
        return facts
    }

    private func facts(_ mcuboot: MCUbootImage) -> [Fact] {
        let signatures = mcuboot.signatureKinds.map(\.rawValue)
        let flags = mcuboot.header.flags.flagNames
        var facts: [Fact] = [
            .text("version", "version", "\(mcuboot.header.version)"),
            .size("headerSize", "header size", Int(mcuboot.header.headerSize)),
            .list("signatures", "signatures", signatures),
            .list("flags", "flags", flags),
        ]
        if let hashCheck { facts.append(.text("hash", "hash", hashCheck.word)) }
        if let counter = mcuboot.securityCounter {
            facts.append(.count("securityCounter", "security counter", Int(counter)))
        }
        return facts
    }
}

extension HashCheck {
    fileprivate var word: String {
        switch self {
        case .matches: "matches"
        case .mismatch: "mismatch"
        case .absent: "absent"
        case .encrypted: "encrypted"
        }
    }
}

extension Fact {
    fileprivate static func text(
        _ name: String, _ label: String, _ value: String, for people: String? = nil
    ) -> Fact {
        Fact(name, label: label, .string(value), text: people ?? value)
    }

    fileprivate static func count(_ name: String, _ label: String, _ count: Int) -> Fact {
        Fact(name, label: label, .integer(Int64(count)), text: String(count))
    }

    fileprivate static func size(_ name: String, _ label: String, _ bytes: Int) -> Fact {
        Fact(
            name, label: label, .integer(Int64(bytes)), text: Quantity.exactBytes(UInt64(bytes)))
    }

    fileprivate static func list(_ name: String, _ label: String, _ words: [String]) -> Fact {
        Fact(
            name, label: label, .array(words.map { .string($0) }),
            text: words.isEmpty ? "none" : words.joined(separator: ", "))
    }

    fileprivate static func address(_ name: String, _ label: String, _ address: UInt64) -> Fact {
        let digits = String(address, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 8 - digits.count))
        return Fact(name, label: label, .unsigned(address), text: "0x" + zeros + digits)
    }
}

extension [UInt8] {
    /// Lower-case digits, as `sha256sum` prints them.
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
