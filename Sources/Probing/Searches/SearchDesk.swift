import Monitoring
import NIOCore
import NIOPosix

/// Runs searches on threads of its own. A pattern that backtracks badly may take for ever, and nothing can end it: it
/// must hold up neither the event loop nor the threads that the program's tasks share. Confined to its event loop.
final class SearchDesk {
    /// How many searches run at the same time.
    static let threads = 8
    /// How long a target's search may take before the target gets no other until it ends.
    static let patience = Duration.milliseconds(100)

    private struct Running {
        let start: Duration
        var count = 1
    }

    private let gate: LoopGate
    private let time: () -> Duration
    private let pool = NIOThreadPool(numberOfThreads: SearchDesk.threads)
    private var running: [Target.ID: Running] = [:]
    private var isStarted = false

    init(gate: LoopGate, time: @escaping () -> Duration) {
        self.gate = gate
        self.time = time
    }

    /// Runs a search after its pause, and hands over whether it found something; or at once the fault that no search can
    /// be run for this target.
    func run(_ search: Search, for target: Target.ID, then: @escaping (Result<Bool, Fault>) -> Void) {
        guard search.pause > .zero else { return begin(search, for: target, then: then) }
        let bound = NIOLoopBound((desk: self, then: then), eventLoop: gate.loop)
        gate.loop.scheduleTask(in: .nanoseconds(search.pause.nanoseconds)) {
            bound.value.desk.begin(search, for: target, then: bound.value.then)
        }
    }

    /// Lets the threads go. One that still searches is not waited for.
    func close() {
        pool.shutdownGracefully { _ in }
    }

    private func begin(_ search: Search, for target: Target.ID, then: @escaping (Result<Bool, Fault>) -> Void) {
        let now = time()
        if let running = running[target] {
            guard now - running.start <= Self.patience else { return then(.failure(Fault(slow: search))) }
            self.running[target]?.count += 1
        } else {
            running[target] = Running(start: now)
        }
        if !isStarted {
            pool.start()
            isStarted = true
        }
        let gate = gate
        let bound = NIOLoopBound((desk: self, then: then), eventLoop: gate.loop)
        pool.submit { state in
            guard case .active = state else { return }
            let result = search.run()
            gate.enter {
                bound.value.desk.end(for: target)
                bound.value.then(result)
            }
        }
    }

    private func end(for target: Target.ID) {
        running[target]?.count -= 1
        if running[target]?.count == 0 { running[target] = nil }
    }
}

extension Fault {
    /// What is said while a search goes on that began for an earlier probe.
    fileprivate init(slow search: Search) {
        let pattern = String(quoting: search.pattern.utf8, limit: 20)
        self.init(.internal, detail: "the search for \(pattern) takes longer than the timeout")
    }
}
