/// Why the pieces of a HEX, UF2 or ELF file do not make one image.
public enum MemoryProblem: Equatable, Sendable {
    /// There is no data, or none within the chosen range of addresses.
    case noData(outsideByteCount: Int)
    /// Two lines, blocks or segments (`source`) give one address different values.
    case conflict(address: UInt64, source: String, first: Int, second: Int)
    /// Two pieces lie further apart than the options allow.
    case gapTooLarge(from: UInt64, to: UInt64, limit: Int)
    /// The whole is larger than the options allow.
    case tooLarge(byteCount: UInt64, limit: Int)
    /// A piece reaches beyond the highest address.
    case addressOverflow(address: UInt64)

    var explanation: Explanation {
        switch self {
        case .noData(let outsideByteCount):
            Explanation(
                error: "The file holds no firmware.",
                reason: outsideByteCount == 0
                    ? "It describes no memory at all."
                    : "All of its \(outsideByteCount) bytes lie outside of the chosen addresses.",
                advice: outsideByteCount == 0
                    ? "Look whether the build that should have written it went through."
                    : "Choose another range of addresses.")
        case .conflict(let address, let source, let first, let second):
            Explanation(
                error: "The file contradicts itself at address \(hexadecimal(address)).",
                reason: "\(source.capitalizedFirst) \(first) and \(source) \(second) give it "
                    + "different values.",
                advice: "Look how the file was put together: two images may overlap in it.")
        case .gapTooLarge(let from, let to, let limit):
            Explanation(
                error: "The file has a gap of \(to - from) bytes, from \(hexadecimal(from)) "
                    + "to \(hexadecimal(to)).",
                reason: "Gaps are filled up to \(limit) bytes; beyond that, the file describes "
                    + "two regions (flash and configuration words, for instance).",
                advice: "Choose the range of addresses that makes up the image.")
        case .tooLarge(let byteCount, let limit):
            Explanation(
                error: "The file holds or spans \(byteCount) bytes of memory or more.",
                reason: "The limit is \(limit) bytes.",
                advice: "Choose the range of addresses that makes up the image.")
        case .addressOverflow(let address):
            Explanation(
                error: "The data at address \(hexadecimal(address)) reaches beyond the end of "
                    + "memory.",
                reason: "No address is that high.",
                advice: "The file is damaged: build it again.")
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
