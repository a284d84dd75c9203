import Monitoring

/// The figures of all targets that the filter compares, at most a second old. Percentiles of ten thousand targets are
/// too expensive for every frame.
struct FigureValues: Sendable {
    /// When the figures were read.
    private(set) var time = Duration.zero
    /// The edition of the settings that the positions belong to.
    private var edition = 0
    /// The figures by the position of the target, in seconds or as a share; NaN for a target without it.
    private var values: [FilterTerm.Figure: [Double]] = [:]

    /// Reads figures again if they are older than `interval`, or were not read yet.
    mutating func update(
        _ figures: Set<FilterTerm.Figure>,
        of roster: Roster,
        at now: Duration,
        interval: Duration
    ) {
        let isCurrent = edition == roster.edition && now < time + interval && figures.isSubset(of: values.keys)
        guard !figures.isEmpty, !isCurrent else { return }
        (time, edition, values) = (now, roster.edition, [:])
        // The figures of paused and blocked targets are not shown.
        let statistics = roster.states.map { $0.isPausedOrBlocked ? nil : $0.statistics }
        for figure in figures { values[figure] = statistics.map { $0?.value(of: figure) ?? .nan } }
    }

    /// The figure of the target at a position; NaN if the target has none. A comparison with NaN is false.
    subscript(figure: FilterTerm.Figure, position: Int) -> Double {
        values[figure]?[position] ?? .nan
    }
}

extension Statistics {
    fileprivate func value(of figure: FilterTerm.Figure) -> Double {
        switch figure {
        case .last: last?.inSeconds ?? .nan
        case .p95: percentile(95)?.inSeconds ?? .nan
        case .jitter: jitter?.inSeconds ?? .nan
        case .loss: loss ?? .nan
        }
    }
}
