import Barge
import FirmwareImage
import Foundation
import Testing

/// Damage, enumerated where it can be and drawn from a seed where it cannot.
@Suite("Damage")
struct DamageTests {
    private let cryptography = OpenSSLCryptography()

    @Test("Every single flipped bit that a hash covers is found")
    func everyBit() throws {
        let whole = try Samples.bytes("sample-1.0.0-hash-only.bin")
        let coveredByteCount = 512 + 672
        var missed: [Int] = []
        for bit in 0..<(coveredByteCount * 8) {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let image = try? FirmwareImage.parse(bytes)
            if case .matches = try image?.checkHash(using: cryptography) { missed.append(bit) }
        }
        #expect(missed.isEmpty)
    }

    @Test("A file cut short anywhere is refused, or has lost nothing that goes to the device")
    func everyLength() throws {
        for name in try Samples.names() where !name.contains("padded") {
            let whole = try Samples.bytes(name)
            guard let complete = try? FirmwareImage.parse(whole), complete.format != .raw else {
                continue
            }
            var options = ParseOptions()
            options.expectedFormat = complete.format
            for length in 0..<whole.count {
                guard
                    let cut = try? FirmwareImage.parse(
                        Array(whole.prefix(length)), options: options)
                else { continue }
                #expect(cut.payload == complete.payload, "\(name) cut to \(length) bytes")
            }
        }
    }

    /// Three thousand by default; `BARGE_MUTATIONS` asks for more, each number with a seed of its
    /// own.
    private var mutationCount: Int {
        ProcessInfo.processInfo.environment["BARGE_MUTATIONS"].flatMap(Int.init) ?? 3000
    }

    @Test("Thousands of seeded mutations of all images end in a value or a typed error")
    func mutations() throws {
        var random = SplitMix64(seed: UInt64(mutationCount))
        let samples = try Samples.names().map { try Samples.bytes($0) }
        let key = try cryptography.publicKey(from: Samples.key("ecdsa-p256.pub"))
        var (parsed, refused) = (0, 0)
        for _ in 0..<mutationCount {
            let sample = samples[Int.random(in: 0..<samples.count, using: &random)]
            let mutant = Mutation.random(using: &random).applied(to: sample, using: &random)
            do throws(ImageError) {
                let image = try FirmwareImage.parse(mutant)
                parsed += 1
                for note in image.notes { #expect(!note.sentence.isEmpty) }
                let outcome = try? image.verify(key: key, using: cryptography)
                #expect(outcome?.explanation.error.isEmpty == false)
                _ = image.mcuboot?.dependencies
            } catch {
                refused += 1
                #expect(error.description.contains(". "))
            }
        }
        // Both ends must have been reached, or the mutations prove nothing.
        #expect(parsed > mutationCount / 10)
        #expect(refused > mutationCount / 10)
    }

    @Test("Damaged key files end in a key or a typed error")
    func keyMutations() throws {
        var random = SplitMix64(seed: 0x4E75)
        let files = try ["ecdsa-p256.pub", "ed25519.pub", "rsa-2048.pub", "rsa-2048"].flatMap {
            let file = try Samples.key($0)
            return [file, try cryptography.publicKey(from: file).imageEncoding]
        }
        var refusedCount = 0
        for _ in 0..<1000 {
            let file = files[Int.random(in: 0..<files.count, using: &random)]
            let mutant = Mutation.random(using: &random).applied(to: file, using: &random)
            do throws(PublicKeyProblem) {
                _ = try cryptography.publicKey(from: mutant)
            } catch {
                refusedCount += 1
                if case .failure(let failure) = error { Issue.record(failure) }
            }
        }
        #expect(refusedCount > 300)
    }
}

/// One way of damaging a file.
private enum Mutation: CaseIterable {
    case flipBits, overwrite, cut, remove, double, insert

    static func random(using random: inout SplitMix64) -> Mutation {
        allCases[Int.random(in: 0..<allCases.count, using: &random)]
    }

    func applied(to bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        // Half of the damage goes to the first bytes, where the headers are.
        let reach = Bool.random(using: &random) ? bytes.count : min(bytes.count, 80)
        let start = Int.random(in: 0..<reach, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...16, using: &random))
        switch self {
        case .flipBits: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .overwrite:
            let extremes: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF]
            for index in start..<end { bytes[index] = extremes.randomElement(using: &random) ?? 0 }
        case .cut: bytes.removeSubrange(start...)
        case .remove: bytes.removeSubrange(start..<end)
        case .double: bytes.insert(contentsOf: bytes[start..<end], at: end)
        case .insert: bytes.insert(contentsOf: random.bytes(end - start), at: start)
        }
        return bytes
    }
}
