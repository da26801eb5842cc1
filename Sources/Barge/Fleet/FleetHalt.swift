/// Why a run over many devices starts no more of them.
public enum FleetHalt: String, Hashable, Sendable, CaseIterable {
    /// One of the devices that went first failed.
    case canaryFailed = "canary-failed"
    /// More devices failed than the plan allows.
    case tooManyFailures = "too-many-failures"
    /// It was called off.
    case interrupted
}
