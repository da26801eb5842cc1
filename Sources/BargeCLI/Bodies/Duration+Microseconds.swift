extension Duration {
    /// Whole microseconds; a negative duration is none.
    var microseconds: UInt64 {
        let parts = components
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
        return UInt64(parts.seconds) * 1_000_000
            + UInt64(parts.attoseconds / 1_000_000_000_000)
    }
}
