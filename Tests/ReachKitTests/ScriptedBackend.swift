import ReachMonitoring
import Synchronization

@testable import ReachKit

/// A backend that reports the findings of a test, and records the requests to it.
final class ScriptedBackend: ProbeBackend {
    let batches: AsyncStream<[Finding]>
    private let continuation: AsyncStream<[Finding]>.Continuation
    private let log = Mutex<[ProbeRequest]>([])
    /// All requests in order. The stream ends with the shutdown.
    let requests: AsyncStream<ProbeRequest>
    private let request: AsyncStream<ProbeRequest>.Continuation

    init() {
        (batches, continuation) = AsyncStream.makeStream()
        (requests, request) = AsyncStream.makeStream()
    }

    /// The requests so far.
    var performed: [ProbeRequest] { log.withLock { $0 } }

    /// Reports a batch of findings.
    func report(_ findings: [Finding]) {
        continuation.yield(findings)
    }

    func perform(_ request: ProbeRequest) {
        log.withLock { $0.append(request) }
        self.request.yield(request)
    }

    func shutdown() async {
        continuation.finish()
        request.finish()
    }
}

extension ScriptedBackend {
    /// Waits for the first assignment of a target.
    var firstAssignment: ProbeRequest.Assignment? {
        get async {
            for await request in requests {
                if case .watch(let assignments) = request { return assignments.first }
            }
            return nil
        }
    }

    /// Waits for the first assignment, and returns its identity.
    var firstID: Target.ID? {
        get async { await firstAssignment?.id }
    }

    /// Waits for the first assignment, and returns its target.
    var firstTarget: Target? {
        get async { await firstAssignment?.target }
    }

    /// The targets that are probed after the requests so far.
    var watched: [ProbeRequest.Assignment] {
        performed.reduce(into: []) { watched, request in
            switch request {
            case .watch(let assignments):
                watched.removeAll { known in assignments.contains { $0.id == known.id } }
                watched += assignments
            case .forget(let ids):
                watched.removeAll { ids.contains($0.id) }
            case .now, .pace:
                break
            }
        }
    }
}
