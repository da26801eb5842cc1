/// How a run over many devices goes: how many at once, which ones first, and when it stops.
public struct FleetPlan: Hashable, Sendable {
    /// How many devices may be under way at once, 1 or more.
    public var jobs: Int
    /// How many devices, from the first one on, must succeed before any other starts; 0 for none.
    /// More than there are devices means all of them.
    public var canaries: Int
    /// How many failures are too many; nil where the run goes to its end whatever happens.
    public var failureLimit: FailureLimit?

    /// The most devices that a plan may run at once: more links than adapters hold, and a bound for
    /// what a user may ask for.
    public static let mostJobs = 256

    /// A plan.
    public init(jobs: Int, canaries: Int = 0, failureLimit: FailureLimit? = nil) {
        precondition(jobs >= 1, "a run without a job never ends")
        precondition(canaries >= 0, "there is no negative number of canaries")
        self.jobs = jobs
        self.canaries = canaries
        self.failureLimit = failureLimit
    }
}

/// How many failures a run over many devices bears: with one more, nothing new starts.
public enum FailureLimit: Hashable, Sendable {
    /// So many devices.
    case count(Int)
    /// So many of a hundred of all devices of the run, whether they have started or not.
    case percent(Double)

    /// Whether so many failures are more than the limit allows.
    public func isExceeded(by failures: Int, of devices: Int) -> Bool {
        switch self {
        case .count(let most): failures > most
        // A limit that a fraction of a device meets exactly must not be missed by a rounding:
        // 1.1 % of 3000 devices are 33, and in binary a little less or more.
        case .percent(let most):
            Double(failures) * 100 > most * Double(devices) * (1 + Self.rounding)
        }
    }

    /// More than three roundings of a Double add up to (2^-53 each), less than any device counts.
    private static let rounding = 1e-12
}

/// Why a run over many devices starts no more of them.
public enum FleetHalt: String, Hashable, Sendable, CaseIterable {
    /// One of the devices that went first failed.
    case canaryFailed = "canary-failed"
    /// More devices failed than the plan allows.
    case tooManyFailures = "too-many-failures"
    /// It was called off.
    case interrupted
}
