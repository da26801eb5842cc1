import Bluetooth

/// How one radio serves many links. A single link has the interval that it was configured with.
/// Several share a period: each has an equal slice of it, long enough for several whole exchanges,
/// and an interval of so many whole periods as its own asks for. So anchors never meet, and the
/// idle end of a slice is small against the slice. A central does the same with the connection
/// update procedure (Core 5.4, Vol 6, Part B, 5.1.1); its packets are not modelled, only that a
/// link follows the new interval from its next anchor on.
extension SimulatedWorld {
    /// Gives each link its slice anew: a link has begun or ended. Anchors that are planned stand,
    /// so that a link that others come and go beside is never put off for more than one period.
    func shareRadio() {
        let sharing = liveLinks.filter { isOnAir($0) && !$0.configuration.isUnlimited }
        guard let first = sharing.first else { return }
        guard sharing.count > 1 else {
            first.takeWholeRadio()
            first.anchorOffsetMicroseconds %= first.intervalMicroseconds
            return
        }
        let period = sharedPeriod(of: sharing)
        let start = first.anchorOffsetMicroseconds % period
        for (place, link) in sharing.enumerated() {
            link.share(periodMicroseconds: period)
            link.anchorOffsetMicroseconds = start + UInt64(place) * period / UInt64(sharing.count)
        }
    }

    /// As long as the shortest interval that is configured, and longer where that does not hold a
    /// slice for each link.
    private func sharedPeriod(of sharing: [Link]) -> UInt64 {
        let shortest = sharing.map(\.configuredIntervalMicroseconds).min() ?? 0
        let slice = sharing.map(\.sliceMicroseconds).max() ?? 0
        return min(max(shortest, UInt64(sharing.count) * slice), Link.longestIntervalMicroseconds)
    }

    func anchor(of link: Link, after microseconds: UInt64) -> UInt64 {
        let interval = link.intervalMicroseconds
        let offset = link.anchorOffsetMicroseconds % interval
        guard microseconds >= offset else { return offset }
        return offset + ((microseconds - offset) / interval + 1) * interval
    }

    /// An event ends before the next anchor of any link of this radio.
    func eventLimit(of link: Link) -> UInt64 {
        var limit = link.nextAnchorMicroseconds
        guard liveLinks.count > 1 else { return limit }
        for other in liveLinks where other !== link && isOnAir(other) {
            let anchor = other.nextAnchorMicroseconds
            if anchor >= now.microseconds { limit = min(limit, anchor) }
        }
        return limit
    }
}

extension Link {
    /// The interval and the supervision timeout are those that were configured.
    fileprivate func takeWholeRadio() {
        intervalMicroseconds = configuredIntervalMicroseconds
        supervisionTimeoutMicroseconds = UInt64(configuration.supervisionTimeoutMicroseconds)
    }

    /// The interval is the configured one rounded up to whole periods. A link that waits longer
    /// for its turn is given up later: more than two intervals are demanded (Core 5.4, Vol 6,
    /// Part B, 4.5.2), and six leave room for damaged packets.
    fileprivate func share(periodMicroseconds period: UInt64) {
        let wanted = (configuredIntervalMicroseconds + period - 1) / period
        intervalMicroseconds =
            period * max(1, min(wanted, Self.longestIntervalMicroseconds / period))
        let configured = UInt64(configuration.supervisionTimeoutMicroseconds)
        let sensible = min(
            Self.intervalsOfSilence * intervalMicroseconds, Self.longestTimeoutMicroseconds)
        supervisionTimeoutMicroseconds = max(configured, sensible)
    }

    /// Seven full exchanges, encrypted or not, in whole steps of an interval: what is idle at its
    /// end is then less than a tenth of it.
    fileprivate var sliceMicroseconds: UInt64 {
        let full = LinkTiming(
            phy: timing.phy, dataLengthBytes: timing.dataLengthBytes, isEncrypted: true)
        let exchanges =
            Self.exchangesInSlice
            * UInt64(full.cycleMicroseconds(payloadBytes: full.dataLengthBytes))
        return (exchanges + Self.stepMicroseconds - 1) / Self.stepMicroseconds
            * Self.stepMicroseconds
    }

    private static let exchangesInSlice: UInt64 = 7
    private static let intervalsOfSilence: UInt64 = 6
    /// Intervals come in steps of 1.25 ms, up to 4 s (Core 5.4, Vol 6, Part B, 4.5.1).
    private static let stepMicroseconds: UInt64 = 1_250
    fileprivate static let longestIntervalMicroseconds: UInt64 = 4_000_000
    /// 32 s (same part, 4.5.2).
    private static let longestTimeoutMicroseconds: UInt64 = 32_000_000
}
