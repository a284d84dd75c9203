import Logging
import ReachMonitoring
import Synchronization

/// Logs the requests to the prober, the changes of health and the problems. It keeps the names of targets from the requests
/// and from updates of the fleet.
final class EngineLog: Sendable {
    private let logger: Logger
    private let redaction: SharedRedaction
    private let names = Mutex<[Target.ID: String]>([:])

    init(_ logger: Logger, _ redaction: SharedRedaction) {
        self.logger = logger
        self.redaction = redaction
    }

    /// Logs that settings were read, and adds their secrets to the redaction.
    func log(_ settings: Settings, from source: String) {
        redaction.update(settings)
        logger.notice("settings read", metadata: ["source": "\(source)", "targets": "\(settings.targets.count)"])
    }

    /// Logs a request to the prober.
    func log(_ request: ProbeRequest) {
        // Without a log, names need not be stored.
        guard logger.logLevel <= .notice else { return }
        switch request {
        case .watch(let assignments):
            names.withLock { names in
                for assignment in assignments { names[assignment.id] = assignment.target.label }
            }
            let redaction = redaction.current
            for assignment in assignments {
                logger.info(
                    "target watched",
                    metadata: [
                        "target": "\(assignment.target.label)", "url": "\(redaction.url(of: assignment.target))",
                    ]
                )
            }
        case .forget(let ids):
            for id in ids { logger.info("target no longer probed", metadata: ["target": "\(name(of: id))"]) }
        case .now(let ids):
            for id in ids { logger.debug("target probed at once", metadata: ["target": "\(name(of: id))"]) }
        case .pace(let id, let interval, _):
            logger.debug(
                "probe interval changed",
                metadata: ["target": "\(name(of: id))", "interval": "\(interval.decimal(.seconds(1), places: 3))s"]
            )
        }
    }

    /// Logs the events of consequences.
    func log(_ consequences: Consequences) {
        if logger.logLevel <= .error, !consequences.fleetNames.isEmpty {
            names.withLock { $0.merge(consequences.fleetNames) { $1 } }
        }
        for event in consequences.events { log(event) }
    }

    /// Logs that settings were refused and the old ones stay in use, with each problem.
    func logRefusedSettings(_ lines: [String]) {
        logger.error("\(Settings.refusal())")
        for line in lines { log(problem: line) }
    }

    /// Logs a problem of the program.
    func log(problem: String) {
        logger.error("\(problem)")
    }

    /// Logs an event, if it is a change of health or a problem, or ends a problem.
    func log(_ event: RosterEvent) {
        guard logger.logLevel <= .error else { return }
        guard let level = event.logLevel else { return }
        let summary = redaction.current.event(event).summary
        guard !event.targets.isEmpty else { return logger.log(level: level, "\(summary)") }
        for id in event.targets { logger.log(level: level, "\(summary)", metadata: metadata(of: id)) }
    }

    private func metadata(of id: Target.ID) -> Logger.Metadata {
        ["target": "\(name(of: id))"]
    }

    private func name(of id: Target.ID) -> String {
        names.withLock { $0[id] } ?? "?"
    }
}

extension RosterEvent {
    /// The level of a change of health, of a problem and of its end; nil for other events.
    fileprivate var logLevel: Logger.Level? {
        switch kind {
        case .fault, .blocked, .scheduleMissed, .stalled: .warning
        case .transition, .faultCleared, .unblocked, .scheduleKept: .notice
        default: nil
        }
    }
}
