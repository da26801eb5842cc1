#if !hasFeature(Embedded)
    extension [UInt8]: ByteSink {
        /// Takes many bytes at once.
        public mutating func append(contentsOf bytes: RawSpan) {
            bytes.withUnsafeBytes { append(contentsOf: $0) }
        }
    }
#endif
