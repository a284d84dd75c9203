import Hooks
import LibC
import Monitoring
import Reporting
import UnixSignals

/// Tells what happens in `reach watch`: data on standard output, messages on standard error. Nobody waits for either.
struct WatchTeller: Sendable {
    /// How it tells what happened.
    enum Format: Sendable, Hashable {
        /// Transitions as lines of text on standard output, and all else on standard error.
        case text
        /// Events as JSON, one object per line, on standard output; messages besides on standard error.
        case json
    }

    let time: ProgramTime
    let format: Format
    /// Whether every probe is told of as well.
    let hasObservations: Bool
    /// Whether messages about events are left out.
    let isQuiet: Bool
    /// Removes secrets: the lines of a service are a log.
    let redaction: SharedRedaction
    let output: Outlet
    let errors: Outlet

    /// Tells of the probes that have ended, of findings that the roster is about to record. What it will not judge, since
    /// it is nobody's, is not told.
    func tell(_ findings: [Finding], of roster: Roster) {
        defer { tellLosses(at: time.now) }
        guard hasObservations else { return }
        let (wall, redaction) = (time.wall, redaction.current)
        for case .observation(let observation) in findings where roster.judges(observation) {
            guard let name = (roster[observation.target]?.target).map(redaction.label) else { continue }
            let line =
                switch format {
                case .json: ObservationRecord(observation, of: name, wall: wall, redaction: redaction).json
                case .text:
                    EventLine(at: observation.time, name, redaction.text(observation.summary), wall: wall).text
                }
            output.put(line, as: .observation)
        }
    }

    /// Tells what happened.
    func tell(_ events: [RosterEvent], of roster: Roster) {
        for event in events {
            switch format {
            case .json: tellObjects(of: event, roster)
            case .text: tellWords(of: event, roster)
            }
        }
    }

    /// Tells what became of a hook. An object goes to standard output, words to standard error.
    func tell(_ report: HookReport, of roster: Roster) {
        if case .json = format {
            let target = roster[report.run.target]?.target ?? report.run.formerTarget
            let redaction = redaction.current
            let record = HookRecord(report, of: target, at: time.now, wall: time.wall, redaction: redaction)
            if let record { output.put(record.json) }
        } else {
            let name = roster[report.run.target]?.target.label ?? report.run.occasion.name
            report.lines.forEach { complain(name, $0) }
        }
    }

    /// A message for a person.
    func complain(_ line: String) {
        errors.put("reach: \(line)")
    }

    /// Says how standard output ended, where that is an error.
    ///
    /// - Returns: The exit status of the program: 128+n as of one that SIGPIPE ended, when nobody reads any more.
    func status(ofOutputThatEnded code: Int32) -> Int32 {
        guard code != EPIPE else { return 128 + UnixSignal.sigpipe.rawValue }
        complain("cannot write to standard output: \(String(cString: strerror(code)))")
        return 1
    }

    /// Waits for the readers, but not for one that does not read.
    func finish() async {
        let left = await output.flush()
        tellLosses()
        if left > 0 { complain("the end of standard output was not read: \(left) bytes are lost") }
        _ = await errors.flush()
    }

    private func tellLosses(at now: Duration? = nil) {
        guard let losses = output.takeLosses(at: now) else { return }
        complain("standard output is read too slowly: dropped \(losses)")
    }
}
