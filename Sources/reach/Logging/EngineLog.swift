import Logging
import Monitoring
import Synchronization

/// Logs the requests to the prober and the changes of health. It learns the names of targets from the requests.
final class EngineLog: Sendable {
    private let logger: Logger
    private let redaction: SharedRedaction
    private let names = Mutex<[Target.ID: String]>([:])

    init(_ logger: Logger, _ redaction: SharedRedaction) {
        self.logger = logger
        self.redaction = redaction
    }

    /// Logs that settings were read, and adds their secrets to the redaction.
    func note(_ settings: Settings, from source: String) {
        redaction.update(settings)
        logger.notice("settings read", metadata: ["source": "\(source)", "targets": "\(settings.targets.count)"])
    }

    /// Logs a request to the prober.
    func note(_ request: ProbeRequest) {
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

    /// Logs a change of health.
    func note(_ transition: Transition, of id: Target.ID) {
        guard logger.logLevel <= .notice else { return }
        logger.notice("\(transition.summary)", metadata: ["target": "\(name(of: id))"])
    }

    private func name(of id: Target.ID) -> String {
        names.withLock { $0[id] } ?? "?"
    }
}
