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
