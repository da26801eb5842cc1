/// What an ERROR frame says (BTP-100, BTP-101).
public struct ErrorMessage: Equatable, Sendable {
    /// What ends with it.
    public let scope: Scope
    /// The number from the error table; may be one that is not known here.
    public let rawCode: UInt16
    /// What to do next.
    public let advice: Advice
    /// A number that belongs to the code, else 0.
    public let detail: UInt64
    /// Words for people, at most 120 bytes; may be empty.
    public var text: Name { words.name }
    private let words: ShortText<120>

    /// What an error ends.
    public enum Scope: UInt8, Sendable {
        /// The open request.
        case request = 1
        /// The session.
        case session = 2
        /// The pipe: its stream cannot be trusted.
        case channel = 3
    }

    /// What the receiver of an error should do.
    public enum Advice: UInt8, Sendable {
        /// Send the same request again, later.
        case retry = 1
        /// Ask for the offset again and go on from there.
        case resume = 2
        /// Start over at 0.
        case restart = 3
        /// Leave it: the same request will fail again.
        case giveUp = 4
    }

    /// The code, where it is one of the table.
    public var code: ErrorCode? { ErrorCode(rawValue: rawCode) }

    /// An error of the table, with the scope and advice that belong to it, and a text of at most
    /// 120 bytes.
    public init(
        _ code: ErrorCode, scope: Scope? = nil, detail: UInt64 = 0, text: Name = Name()
    ) {
        self.scope = scope ?? code.scope
        rawCode = code.rawValue
        advice = code.advice
        self.detail = detail
        words = ShortText(text)
    }

    init(scope: Scope, rawCode: UInt16, advice: Advice, detail: UInt64, text: Name) {
        self.scope = scope
        self.rawCode = rawCode
        self.advice = advice
        self.detail = detail
        words = ShortText(text)
    }
}

/// The error table of the protocol document.
public enum ErrorCode: UInt16, Sendable {
    /// A body or field is not as drawn.
    case malformed = 1
    /// A frame's CRC does not agree.
    case badCheck = 2
    /// No common version.
    case unsupportedVersion = 3
    /// A type below 0x80 that is not known.
    case unknownFrame = 4
    /// The state does not allow the frame.
    case unexpectedFrame = 5
    /// A body longer than announced.
    case bodyTooLong = 6
    /// A critical HELLO field that is not known.
    case unknownField = 7
    /// A block beyond the receive window.
    case windowExceeded = 8
    /// No such object or image.
    case notFound = 16
    /// It does not fit; the detail is the room in bytes.
    case noSpace = 17
    /// The device does not allow it.
    case notPermitted = 18
    /// Not a file's name.
    case badName = 19
    /// Not the image that this is about.
    case wrongImage = 20
    /// What was stored is not what was announced.
    case digestMismatch = 21
    /// The detail is the right offset.
    case badOffset = 22
    /// A block's lengths or deflated data are wrong.
    case badBlock = 23
    /// Flash or file system failed.
    case storageFailure = 24
    /// Another session uses the object.
    case busy = 25
    /// The device has no such feature.
    case notSupported = 26
    /// The object changed while it was read.
    case changed = 27

    /// What an error of this code ends, unless its sender says otherwise.
    public var scope: ErrorMessage.Scope {
        switch self {
        case .malformed, .unsupportedVersion, .unknownFrame, .unexpectedFrame, .unknownField:
            .session
        case .badCheck, .bodyTooLong:
            .channel
        case .windowExceeded, .notFound, .noSpace, .notPermitted, .badName, .wrongImage,
            .digestMismatch, .badOffset, .badBlock, .storageFailure, .busy, .notSupported,
            .changed:
            .request
        }
    }

    /// What to do after it.
    public var advice: ErrorMessage.Advice {
        switch self {
        case .badCheck, .windowExceeded, .badBlock: .resume
        case .digestMismatch, .badOffset, .changed: .restart
        case .storageFailure, .busy: .retry
        case .malformed, .unsupportedVersion, .unknownFrame, .unexpectedFrame, .bodyTooLong,
            .unknownField, .notFound, .noSpace, .notPermitted, .badName, .wrongImage,
            .notSupported:
            .giveUp
        }
    }
}
