import ReachMonitoring

/// A file about a past time that is shown. Nothing is probed, and nothing can be changed.
struct OpenedFile: Sendable, Hashable {
    /// The period of the file, since the start of the program, which is after it.
    let range: ClosedRange<Duration>

    /// Whether an action changes something that a file does not have: targets, settings, hooks, the time of freezing.
    static func lacks(_ action: Action) -> Bool {
        switch action {
        case .freeze, .togglePause, .togglePauseAll, .probeNow, .reset, .acknowledge, .arm, .testHooks, .add, .edit,
            .remove,
            .undo, .write, .reload, .toggleAlerts, .saveIncident:
            true
        default: false
        }
    }
}

extension Model {
    /// Shows a time of a file. The targets are those of the settings, which are applied before.
    ///
    /// - Parameters:
    ///   - time: the time, since 1970.
    ///   - range: the period of the file, which ends before the start of the program.
    package mutating func open(at time: Duration, in range: ClosedRange<Duration>) {
        let start = wall.start
        opened = OpenedFile(range: range.lowerBound - start...range.upperBound - start)
        toggleFreeze()
        frozen?.move(to: time - start)
        staleness = .urgent
    }
}
