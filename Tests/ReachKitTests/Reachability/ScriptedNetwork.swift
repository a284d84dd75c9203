import ReachKitTesting
import ReachMonitoring
import Synchronization
import TestSupport

@testable import ReachKit

/// A prober with scripted backends, and a clock that a test advances.
final class ScriptedNetwork: Sendable {
    let clock = ManualClock()
    private let storage: Storage
    let prober: Prober
    private let link = LinkBox()
    private let count = Mutex(0)

    private final class Storage: Sendable {
        let backends = Mutex<[ScriptedBackend]>([])
    }

    private final class LinkBox: Sendable {
        let value = Mutex(Reachability.Link.wired)
    }

    init() {
        let storage = Storage()
        self.storage = storage
        let link = link
        prober = Prober(clock: clock, findLink: { _, _ in link.value.withLock { $0 } }) { _ in
            let backend = ScriptedBackend()
            storage.backends.withLock { $0.append(backend) }
            return backend
        }
    }

    /// The reachability of a subject in this network.
    func reachability(of subject: Reachability.Subject = "nas.example") -> Reachability {
        Reachability(of: subject, prober: prober)
    }

    /// The result of a check of a port.
    func status(host: String, port: Int) async -> Reachability.Status {
        await Reachability(host: host, port: port, prober: prober).check()
    }

    /// Changes the link of all routes, and reports that the network has changed.
    func changeLink(to new: Reachability.Link) {
        link.value.withLock { $0 = new }
        backend?.report([.link(isUp: true, at: prober.time)])
    }

    /// The newest backend; nil before the first one.
    var backend: ScriptedBackend? { storage.backends.withLock { $0.last } }
    /// All backends in the order of their creation.
    var backends: [ScriptedBackend] { storage.backends.withLock { $0 } }
    /// How often probing has started.
    var startCount: Int { backends.count }

    /// Waits for a backend, counted from zero.
    func backend(_ index: Int) async -> ScriptedBackend {
        while backends.count <= index { await Task.yield() }
        return backends[index]
    }

    /// The targets that are probed now.
    var watched: [ProbeRequest.Assignment] { backend?.watched ?? [] }

    /// Reports outcomes of all targets, or of the one with a URL, in one batch.
    func report(_ outcomes: Outcome..., from url: String? = nil) {
        let findings = outcomes.flatMap { outcome in
            watched.filter { url == nil || $0.target.question.url == url }.map { assignment in
                let sequence = count.withLock { count in
                    count += 1
                    return count
                }
                return Finding.observation(
                    Observation(
                        target: assignment.id,
                        sequence: sequence,
                        time: prober.time,
                        outcome: outcome,
                        address: "192.0.2.5"
                    )
                )
            }
        }
        backend?.report(findings)
    }

    /// Reports a reply of all targets.
    func reply() {
        report(.reply(roundTrip: .milliseconds(1)))
    }

    /// Reports as many timeouts of all targets as take a target down.
    func timeOut() {
        report(.timeout, .timeout, .timeout)
    }
}
