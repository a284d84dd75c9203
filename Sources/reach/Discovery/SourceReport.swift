import Monitoring

/// What the refresh of a source has changed.
struct SourceReport: Sendable {
    let source: DiscoverySource
    let change: SourceState.Change
    /// The problem of the source with what follows from it; nil without a problem.
    let problem: String?
    /// The number of targets in its last good list.
    let targetCount: Int

    init(_ source: DiscoverySource, _ change: SourceState.Change, _ state: SourceState) {
        (self.source, self.change) = (source, change)
        problem = state.problemSummary
        targetCount = state.list?.targets.count ?? 0
    }
}
