// The standard library's buffer access rethrows untyped errors only; these two keep the type.

extension [UInt8] {
    /// Lends the array's bytes to a body that may throw an error of its own type.
    func withBytes<Failure: Error, Value>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = withUnsafeBytes { buffer in
            do throws(Failure) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Lends the array's storage to a body that fills it and may throw an error of its own type.
    mutating func fillBytes<Failure: Error, Value>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = withUnsafeMutableBytes { buffer in
            do throws(Failure) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
