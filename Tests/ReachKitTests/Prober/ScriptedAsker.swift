import Monitoring
import Synchronization

@testable import ReachKit

/// A network that finds what a test says, and remembers what it was asked for.
final class ScriptedAsker: Asker {
    let batches: AsyncStream<[Finding]>
    private let continuation: AsyncStream<[Finding]>.Continuation
    private let heard = Mutex<[ProbeRequest]>([])
    /// Everything that was asked for, as it comes; it ends when the asker is shut down.
    let requests: AsyncStream<ProbeRequest>
    private let request: AsyncStream<ProbeRequest>.Continuation

    init() {
        (batches, continuation) = AsyncStream.makeStream()
        (requests, request) = AsyncStream.makeStream()
    }

    /// What was asked for so far.
    var asked: [ProbeRequest] { heard.withLock { $0 } }

    /// Finds something.
    func find(_ findings: [Finding]) {
        continuation.yield(findings)
    }

    func perform(_ request: ProbeRequest) {
        heard.withLock { $0.append(request) }
        self.request.yield(request)
    }

    func shutdown() async {
        continuation.finish()
        request.finish()
    }
}
