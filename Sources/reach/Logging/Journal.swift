import Logging
import Monitoring
import Synchronization

/// Logs what the engine does: whom it asks, and whose health changes. It knows the targets by what it is asked to watch.
final class Journal: Sendable {
    private let logger: Logger
    private let redaction: SharedRedaction
    private let names = Mutex<[Target.ID: String]>([:])

    init(_ logger: Logger, _ redaction: SharedRedaction) {
        self.logger = logger
        self.redaction = redaction
    }

    /// Notes that settings are taken over, and what of them is secret.
    func note(_ settings: Settings, from source: String) {
        redaction.update(settings)
        logger.notice("settings read", metadata: ["source": "\(source)", "targets": "\(settings.targets.count)"])
    }

    /// Notes what is asked of the prober.
    func note(_ request: ProbeRequest) {
        // Nobody reads it: names need not be kept.
        guard logger.logLevel <= .notice else { return }
        switch request {
        case .watch(let assignments):
            names.withLock { names in
                for one in assignments { names[one.id] = one.target.label }
            }
            let redaction = redaction.current
            for one in assignments {
                logger.info(
                    "target watched",
                    metadata: ["target": "\(one.target.label)", "url": "\(redaction.url(of: one.target))"]
                )
            }
        case .forget(let ids):
            for id in ids { logger.info("target not asked any more", metadata: ["target": "\(name(of: id))"]) }
        case .now(let ids):
            for id in ids { logger.debug("target asked at once", metadata: ["target": "\(name(of: id))"]) }
        case .pace(let id, let interval, _):
            logger.debug(
                "target asked at another pace",
                metadata: ["target": "\(name(of: id))", "interval": "\(interval.decimal(.seconds(1), places: 3))s"]
            )
        }
    }

    /// Notes a change of health.
    func note(_ transition: Transition, of id: Target.ID) {
        guard logger.logLevel <= .notice else { return }
        logger.notice("\(transition.summary)", metadata: ["target": "\(name(of: id))"])
    }

    private func name(of id: Target.ID) -> String {
        names.withLock { $0[id] } ?? "?"
    }
}
