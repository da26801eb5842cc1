import CCrypto
import FirmwareImage

extension CryptographyFailure {
    private static let messageByteCount = 256

    /// The failure that libcrypto reported last on this thread; its queue of errors is emptied.
    static func latest(while operation: String) -> CryptographyFailure {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0 else { return CryptographyFailure(operation: operation, detail: "") }
        var message = [CChar](repeating: 0, count: messageByteCount)
        ERR_error_string_n(code, &message, message.count)
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return CryptographyFailure(
            operation: operation, detail: String(decoding: text, as: UTF8.self))
    }
}
