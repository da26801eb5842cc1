import BargeProtocol

/// What the device says, in words that help.
extension BargeError {
    init(_ error: ErrorMessage, while action: String) {
        let text = error.text.printable
        guard let code = error.code else {
            self.init(
                .refused, "device-error-\(error.rawCode)", what: "The device refused \(action)",
                why: text.isEmpty ? "its error is number \(error.rawCode)" : text,
                advice: "Look the number up in the documentation of the device's firmware",
                recovery: Recovery(error.advice))
            return
        }
        self.init(
            code.kind, code.identifier, what: "The device refused \(action)",
            why: text.isEmpty ? code.reason(detail: error.detail) : text,
            advice: code.adviceText, recovery: Recovery(error.advice))
    }

    init(_ fault: ProtocolFault) {
        self.init(
            .refused, "protocol-violation", what: "The device does not keep to the protocol",
            why: fault.reason,
            advice: "Update the device's firmware, or report this with --log")
    }
}

extension BargeError.Recovery {
    fileprivate init(_ advice: ErrorMessage.Advice) {
        switch advice {
        case .retry: self = .retry
        case .resume: self = .resume
        case .restart: self = .restart
        case .giveUp: self = .giveUp
        }
    }
}

extension Name {
    /// The text without what a terminal would act on; bytes that are not UTF-8 become U+FFFD.
    public var printable: String {
        let bytes = (0..<byteCount).map { byte(at: $0) }
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            text.unicodeScalars.append(
                scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return text
    }

    /// A text's UTF-8; nil where that is longer than 255 bytes.
    init?(utf8 text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span.bytes)
    }
}

extension ProtocolFault {
    fileprivate var reason: String {
        switch self {
        case .malformed: "a frame is not as the protocol draws it"
        case .badCheck: "a frame's CRC does not agree"
        case .unsupportedVersion: "it speaks no version that this host knows"
        case .unknownFrame(let type): "it sent a frame of unknown type \(type)"
        case .unexpectedFrame(let type): "it sent a frame of type \(type) at the wrong time"
        case .bodyTooLong(let bytes): "it sent a frame of \(bytes) bytes, more than is taken"
        case .unknownField(let id): "its hello has the unknown critical field \(id)"
        }
    }
}

extension ErrorCode {
    fileprivate var kind: BargeError.Kind {
        switch self {
        case .notFound: .remoteFileNotFound
        case .digestMismatch: .verification
        case .badCheck: .linkLost
        case .malformed, .unsupportedVersion, .unknownFrame, .unexpectedFrame, .bodyTooLong,
            .unknownField, .windowExceeded, .noSpace, .notPermitted, .badName, .wrongImage,
            .badOffset, .badBlock, .storageFailure, .busy, .notSupported, .changed:
            .refused
        }
    }

    fileprivate var identifier: String {
        switch self {
        case .malformed: "malformed"
        case .badCheck: "bad-check"
        case .unsupportedVersion: "unsupported-version"
        case .unknownFrame: "unknown-frame"
        case .unexpectedFrame: "unexpected-frame"
        case .bodyTooLong: "body-too-long"
        case .unknownField: "unknown-field"
        case .windowExceeded: "window-exceeded"
        case .notFound: "not-found"
        case .noSpace: "no-space"
        case .notPermitted: "not-permitted"
        case .badName: "bad-name"
        case .wrongImage: "wrong-image"
        case .digestMismatch: "digest-mismatch"
        case .badOffset: "bad-offset"
        case .badBlock: "bad-block"
        case .storageFailure: "storage-failure"
        case .busy: "busy"
        case .notSupported: "not-supported"
        case .changed: "changed"
        }
    }

    fileprivate func reason(detail: UInt64) -> String {
        switch self {
        case .malformed, .unknownFrame, .unexpectedFrame, .bodyTooLong, .unknownField,
            .windowExceeded:
            "it says that this host does not keep to the protocol (\(identifier))"
        case .badCheck: "a frame arrived damaged"
        case .unsupportedVersion: "it speaks no version that this host knows"
        case .notFound: "there is no such object on it"
        case .noSpace: "it has room for \(detail) bytes only"
        case .notPermitted: "it does not allow that"
        case .badName: "that cannot be a file's name"
        case .wrongImage: "that is not the image that runs"
        case .digestMismatch: "what it stored is not what was sent"
        case .badOffset: "its offset is \(detail)"
        case .badBlock: "a block arrived damaged"
        case .storageFailure: "its storage failed"
        case .busy: "another connection uses it"
        case .notSupported: "it has no such feature"
        case .changed: "the object changed while it was read"
        }
    }

    fileprivate var adviceText: String {
        switch self {
        case .noSpace: "Send something smaller, or make room first"
        case .notFound: "See what is there: barge ls, or barge info"
        case .badName:
            "Use 1 to 255 bytes of UTF-8 without / and control characters, not . or .."
        case .busy, .storageFailure: "Try again in a while"
        case .badCheck, .badBlock, .windowExceeded, .changed, .badOffset, .digestMismatch:
            "Run the same command again"
        case .wrongImage: "See what runs: barge info"
        case .notPermitted, .notSupported: "See what the device offers: barge info"
        case .malformed, .unsupportedVersion, .unknownFrame, .unexpectedFrame, .bodyTooLong,
            .unknownField:
            "Update the device's firmware or this program, or report this with --log"
        }
    }
}
