// All system calls of the device half, one thin function each. Everything else in this target is arithmetic.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call.
    public let call: String
    /// The value of `errno` after it.
    public let code: Int32

    /// The call and the system's own words for the code.
    public var description: String {
        var words = [CChar](repeating: 0, count: 256)
        strerror_r(code, &words, words.count)
        let text = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(call): \(text)"
    }
}

/// Whether two runs of bytes are equal, by `memcmp`.
func equalBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return memcmp(leftBase, rightBase, left.count) == 0
}
