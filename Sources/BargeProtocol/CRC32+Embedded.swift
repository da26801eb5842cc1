#if hasFeature(Embedded)
    extension CRC32 {
        /// Byte by byte: a microcontroller has room for one table.
        static func advance(_ start: UInt32, over bytes: RawSpan) -> UInt32 {
            var remainder = start
            for offset in 0..<bytes.byteCount {
                let byte = bytes.byte(at: offset)
                let index = Int((remainder ^ UInt32(byte)) & 0xFF)
                remainder = CRC32Table.remainders[index] ^ (remainder >> 8)
            }
            return remainder
        }
    }
#endif
