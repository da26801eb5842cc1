/// How a controller ended something: the codes of HCI that an LE link can meet (Core 5.4, Vol 1,
/// Part F, 1.3, table 1.1).
public struct HCIStatus: Hashable, Sendable {
    /// The code as HCI and the link layer carry it.
    public let code: UInt8

    /// Any code; those without a name here keep their number.
    public init(code: UInt8) { self.code = code }

    /// There is no such link; also how a canceled connection attempt ends.
    public static let unknownConnection = HCIStatus(code: 0x02)
    /// The two sides do not agree on who they are.
    public static let authenticationFailure = HCIStatus(code: 0x05)
    /// The peer has no key for this link.
    public static let keyMissing = HCIStatus(code: 0x06)
    /// The controller has no memory left.
    public static let memoryExceeded = HCIStatus(code: 0x07)
    /// Nothing was heard for the supervision timeout.
    public static let connectionTimeout = HCIStatus(code: 0x08)
    /// The controller holds as many links as it can.
    public static let connectionLimit = HCIStatus(code: 0x09)
    /// There is a link to that peer already.
    public static let connectionExists = HCIStatus(code: 0x0B)
    /// A side has no resources for the link.
    public static let limitedResources = HCIStatus(code: 0x0D)
    /// The controller cannot do it.
    public static let unsupportedFeature = HCIStatus(code: 0x11)
    /// The peer ended the link.
    public static let remoteUserTerminated = HCIStatus(code: 0x13)
    /// The peer ended the link since it is short of resources.
    public static let remoteLowResources = HCIStatus(code: 0x14)
    /// The peer ended the link since it is being switched off.
    public static let remotePowerOff = HCIStatus(code: 0x15)
    /// This side ended the link.
    public static let localHostTerminated = HCIStatus(code: 0x16)
    /// The peer cannot do it.
    public static let unsupportedRemoteFeature = HCIStatus(code: 0x1A)
    /// The peer's link layer did not answer a request for 40 s (Vol 6, Part B, 5.2).
    public static let responseTimeout = HCIStatus(code: 0x22)
    /// A change of the link was to begin at a moment that is past.
    public static let instantPassed = HCIStatus(code: 0x28)
    /// A peer of the first years, with one key for everybody.
    public static let unitKeyNotSupported = HCIStatus(code: 0x29)
    /// The link is not protected enough for it.
    public static let insufficientSecurity = HCIStatus(code: 0x2F)
    /// A side does not take the interval, the latency or the timeout.
    public static let unacceptableParameters = HCIStatus(code: 0x3B)
    /// A packet was altered on the way, or the two sides encrypt with different keys.
    public static let integrityFailure = HCIStatus(code: 0x3D)
    /// The peer was not heard after the link was to begin.
    public static let failedToEstablish = HCIStatus(code: 0x3E)
}

extension HCIStatus: CustomStringConvertible {
    /// The specification's name, for example `Connection Timeout`.
    public var name: String { Self.names[self] ?? "Error" }

    /// `Connection Timeout (HCI 0x08)`.
    public var description: String { "\(name) (HCI \(code.codeText))" }

    private static let names: [HCIStatus: String] = [
        .unknownConnection: "Unknown Connection Identifier",
        .authenticationFailure: "Authentication Failure",
        .keyMissing: "PIN or Key Missing",
        .memoryExceeded: "Memory Capacity Exceeded",
        .connectionTimeout: "Connection Timeout",
        .connectionLimit: "Connection Limit Exceeded",
        .connectionExists: "Connection Already Exists",
        .limitedResources: "Connection Rejected due to Limited Resources",
        .unsupportedFeature: "Unsupported Feature or Parameter Value",
        .remoteUserTerminated: "Remote User Terminated Connection",
        .remoteLowResources: "Remote Device Terminated Connection due to Low Resources",
        .remotePowerOff: "Remote Device Terminated Connection due to Power Off",
        .localHostTerminated: "Connection Terminated by Local Host",
        .unsupportedRemoteFeature: "Unsupported Remote Feature",
        .responseTimeout: "LMP Response Timeout / LL Response Timeout",
        .instantPassed: "Instant Passed",
        .unitKeyNotSupported: "Pairing with Unit Key Not Supported",
        .insufficientSecurity: "Insufficient Security",
        .unacceptableParameters: "Unacceptable Connection Parameters",
        .integrityFailure: "Connection Terminated due to MIC Failure",
        .failedToEstablish: "Connection Failed to be Established / Synchronization Timeout",
    ]
}
