import ArgumentParser
import ReachKit
import ReachMonitoring
import ReachReporting

/// Reports the changes of `reach wait` while it runs, for a log without lines that are erased, and for programs.
struct WaitReporter: Sendable {
    /// The form of the changes.
    enum Format: Sendable, Hashable {
        /// None: with `--quiet`, or on a terminal, where ``ProgressLines`` are shown.
        case none
        /// Changes of health as lines on standard error, since standard output belongs to the command.
        case lines
        /// Events on standard output, as the objects of `watch --json`, and at the end the object of `check --json`.
        case json
    }

    let format: Format
    /// Removes secrets, since logs of CI systems are kept.
    let redaction: SharedRedaction

    /// Reports events.
    ///
    /// - Throws: The exit status after a write error.
    func report(_ events: [Monitor.Event], of monitor: TimedMonitor) throws(ExitCode) {
        guard format != .none else { return }
        let (wall, redaction) = (monitor.wall, redaction.current)
        for event in events.compactMap({ $0.ofRoster(at: monitor.now) }) {
            switch (format, event.kind) {
            case (.json, _):
                let records = EventRecord.records(of: event, wall: wall, redaction: redaction) {
                    monitor.state(of: $0)?.target
                }
                for record in records { try StandardStreams.print(record.json, isData: true) }
            case (.lines, .transition(let transition)):
                for target in event.targets.compactMap({ monitor.state(of: $0)?.target }) {
                    let name = redaction.label(of: target)
                    let line = EventLine(transition, of: name, wall: wall, redaction: redaction).text
                    StandardStreams.printMessage(line, priority: JournalPriority(transition))
                }
            default:
                break
            }
        }
    }

    /// Reports the states at the end.
    ///
    /// - Throws: The exit status after a write error.
    func report(_ states: TargetStates, wall: WallTime) throws(ExitCode) {
        guard format == .json else { return }
        try StandardStreams.print(TargetsRecord(states, wall: wall, redaction: redaction.current).json, isData: true)
    }
}
