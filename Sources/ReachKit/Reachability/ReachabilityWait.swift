/// A wait for a subject. It subscribes when it is made.
struct ReachabilityWait: Sendable {
    private let reports: EventBuffer<ReachabilityModel.Report>.Reader
    private let prober: Prober
    private let deadline: Duration?
    private let allowsCellular: Bool
    /// Whether the subject was known to be reachable when the wait was made, so that no limit applies.
    private let isMet: Bool

    init(for host: Reachability, within limit: Duration?, allowsCellular: Bool) {
        prober = host.prober
        deadline = limit.map { host.prober.time + $0 }
        self.allowsCellular = allowsCellular
        var known = Reachability.Status.unknown
        reports = host.subscription.subscribe { model in
            // There is no time to probe with a limit of zero: the last verdict decides, however old it is.
            known = limit.map { $0 <= .zero } ?? false ? model.lastStatus : model.status
            return [model.report]
        }
        isMet = known.isReachable(overCellular: allowsCellular)
    }

    /// Waits until the subject is reachable, the limit passes, or the task is cancelled, and ends the subscription.
    ///
    /// - Returns: Whether the subject is reachable.
    func run() async -> Bool {
        defer { reports.cancel() }
        if isMet { return true }
        return await prober.wait(until: deadline) { [reports, allowsCellular] in
            while let status = await reports.next(isolation: nil)?.status {
                if status.isReachable(overCellular: allowsCellular) { return true }
                // Never reachable, however long the limit is.
                if case .unreachable(.invalidSubject) = status { return false }
            }
            return false
        }
    }
}

extension Reachability.Status {
    fileprivate func isReachable(overCellular isAllowed: Bool) -> Bool {
        if case .reachable(let link) = self { isAllowed || link != .cellular } else { false }
    }
}
