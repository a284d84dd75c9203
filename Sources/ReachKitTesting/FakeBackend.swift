import Monitoring
import ReachKit
import Synchronization

/// The backend of a fake network. It probes targets on their schedules in simulated time, which follows the clock.
///
/// The simulation advances in the consumer's task, one moment at a time: the consumer's requests at one moment, such as
/// a faster pace after a loss, are performed before the next.
final class FakeBackend: ProbeBackend {
    private let simulation: Mutex<FakeSimulation>
    private let script: Script
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        of script: Script,
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        simulation = Mutex(FakeSimulation(of: script, at: now()))
        self.script = script
        self.now = now
        self.sleep = sleep
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        script.onChange { [wake] in wake.yield() }
    }

    var batches: Batches { Batches(backend: self) }

    func perform(_ request: ProbeRequest) {
        simulation.withLock { $0.perform(request, at: now()) }
        wake.yield()
    }

    func shutdown() async {
        script.onChange(nil)
        script.recordProbed([:])
        wake.finish()
    }

    /// Findings at one moment each.
    struct Batches: AsyncSequence, Sendable {
        typealias Element = [Finding]
        typealias Failure = Never

        let backend: FakeBackend

        struct AsyncIterator: AsyncIteratorProtocol {
            let backend: FakeBackend

            mutating func next() async -> [Finding]? {
                await backend.next()
            }

            mutating func next(isolation actor: isolated (any Actor)?) async -> [Finding]? {
                await backend.next()
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(backend: backend) }
    }

    /// Waits for the next findings; nil after the shutdown.
    private func next() async -> [Finding]? {
        while true {
            let (findings, due) = simulation.withLock { simulation in
                (simulation.advance(to: now()), simulation.next)
            }
            if !findings.isEmpty { return findings }
            guard await wait(until: due) else { return nil }
        }
    }

    /// Waits for a time, a request or a change of the script.
    ///
    /// - Returns: False after the shutdown.
    private func wait(until time: Duration?) async -> Bool {
        let alarm = time.map { time in
            Task { [sleep, now, wake] in
                guard (try? await sleep(max(.zero, time - now()))) != nil else { return }
                wake.yield()
            }
        }
        defer { alarm?.cancel() }
        var iterator = wakes.makeAsyncIterator()
        return await iterator.next() != nil
    }
}
