#if !hasFeature(Embedded)
    extension CRC32 {
        /// Eight bytes a step ("slicing by 8"): eight tables, each the one before it moved on by a
        /// byte, let the look-ups of a step run side by side.
        static func advance(_ start: UInt32, over bytes: RawSpan) -> UInt32 {
            var remainder = start
            bytes.withUnsafeBytes { buffer in
                slices.withUnsafeBufferPointer { table in
                    remainder = advance(remainder, over: buffer, table: table)
                }
            }
            return remainder
        }

        private static func advance(
            _ start: UInt32, over bytes: UnsafeRawBufferPointer,
            table: UnsafeBufferPointer<UInt32>
        ) -> UInt32 {
            var remainder = start
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ remainder
                let high = UInt32(truncatingIfNeeded: word >> 32)
                remainder =
                    table[7 << 8 | Int(low & 0xFF)] ^ table[6 << 8 | Int(low >> 8 & 0xFF)]
                    ^ table[5 << 8 | Int(low >> 16 & 0xFF)] ^ table[4 << 8 | Int(low >> 24)]
                remainder ^=
                    table[3 << 8 | Int(high & 0xFF)] ^ table[2 << 8 | Int(high >> 8 & 0xFF)]
                    ^ table[1 << 8 | Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                offset += 8
            }
            while offset < bytes.count {
                remainder = table[Int((remainder ^ UInt32(bytes[offset])) & 0xFF)] ^ remainder >> 8
                offset += 1
            }
            return remainder
        }

        private static let slices: [UInt32] = {
            var table = (0..<256).map { CRC32Table.remainders[$0] }
            for index in 256..<2048 {
                let before = table[index - 256]
                table.append(table[Int(before & 0xFF)] ^ before >> 8)
            }
            return table
        }()
    }
#endif
