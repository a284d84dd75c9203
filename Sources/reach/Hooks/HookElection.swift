import Monitoring
import Synchronization

/// Decides, together with the other processes of the same settings, which one runs their hooks.
final class HookElection: Sendable {
    /// The owner at the start.
    let first: HookOwner
    /// The later owners, for one consumer.
    let changes: AsyncStream<HookOwner>
    private let change: AsyncStream<HookOwner>.Continuation
    private let state: Mutex<State>

    private struct State {
        /// The claim; nil after ``stop()``.
        var claim: HookClaim?
        var owner: HookOwner
    }

    /// Takes the lock if it is free, and checks it from now on until the consumer of ``changes`` is cancelled.
    init(_ claim: HookClaim) {
        var claim = claim
        let owner = claim.update()
        first = owner
        state = Mutex(State(claim: claim, owner: owner))
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        guard owner != .disabled else { return }
        let checking = Task { [weak self] in
            while !Task.isCancelled {
                // A process that waits takes over soon after the owner has ended.
                let pause = Duration.milliseconds(self?.isWaiting == true ? 250 : 2_000)
                try? await Task.sleep(for: pause, tolerance: pause / 5)
                guard !Task.isCancelled, let self, check() else { return }
            }
        }
        change.onTermination = { _ in checking.cancel() }
    }

    private var isWaiting: Bool {
        state.withLock { !$0.owner.isThisProcess }
    }

    /// Changes the targets whose hooks run.
    func use(_ set: HookSet?) {
        _ = check { $0.use(set) }
    }

    /// Returns the lock, so that another process takes over.
    func stop() {
        state.withLock { $0.claim = nil }
    }

    /// Reports the owner if it has changed. Returns whether the checks go on.
    private func check(_ prepare: (inout HookClaim) -> Void = { _ in }) -> Bool {
        state.withLock { state in
            guard var claim = state.claim else { return false }
            prepare(&claim)
            let owner = claim.update()
            if owner != state.owner { change.yield(owner) }
            state = State(claim: claim, owner: owner)
            return true
        }
    }
}
