extension RawSpan {
    /// One byte, bounds checked. The only load in this module.
    @inline(__always)
    public func byte(at offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
