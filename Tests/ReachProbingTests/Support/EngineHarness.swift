import Dispatch
import Logging
import NIOCore
import ReachMonitoring

@testable import ReachProbing

/// An engine with the findings that a test waits for.
final class EngineHarness {
    let engine: ProbeEngine
    private var batches: Findings.AsyncIterator
    private var waiting: ArraySlice<Observation> = []

    /// - Parameters:
    ///   - clockOffset: the offset of the clock, to simulate a suspend.
    ///   - group: the event loops to use; by default the engine's own.
    ///   - resolve: resolves a name; by default the system's resolver.
    init(
        clockOffset: @escaping @Sendable () -> Duration = { .zero },
        runCommand: CommandRunner? = nil,
        group: (any EventLoopGroup)? = nil,
        resolve: (@Sendable (String) -> Resolution)? = nil
    ) {
        let start = ContinuousClock.now
        engine = ProbeEngine(
            now: { ContinuousClock.now - start + clockOffset() },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            seed: 1,
            runCommand: runCommand,
            group: group,
            resolve: { name in resolve?(name.host) ?? Resolution.system(name) }
        )
        batches = engine.findings.makeAsyncIterator()
    }

    /// Watches these questions; their target identities are their positions.
    func watch(
        _ questions: [Question],
        interval: Duration = .milliseconds(200),
        timeout: Duration = .milliseconds(200),
        family: Family = .any,
        source: String? = nil
    ) {
        let assignments = questions.enumerated().map { index, question in
            ProbeRequest.Assignment(
                id: Target.ID(index),
                target: Target(
                    name: "\(index)",
                    question: question,
                    family: family,
                    source: source,
                    interval: interval,
                    timeout: timeout
                )
            )
        }
        engine.perform(.watch(assignments))
    }

    /// Watches one more question on the lane of the first ones. Returns its target identity.
    func watch(one question: Question) -> Target.ID {
        let id = Target.ID(LaneAssignment.block - 1)
        let target = Target(
            name: "one more",
            question: question,
            interval: .milliseconds(20),
            timeout: .milliseconds(20)
        )
        engine.perform(.watch([ProbeRequest.Assignment(id: id, target: target)]))
        return id
    }

    /// The next batch of findings; empty at the end.
    func batch() async -> [Finding] {
        await batches.next() ?? []
    }

    /// Returns observations up to the first for which `isEnough` is true. The next call returns the rest of the last
    /// batch.
    func observations(until isEnough: ([Observation]) -> Bool) async -> [Observation] {
        var taken: [Observation] = []
        while !isEnough(taken) {
            if let first = waiting.first {
                taken.append(first)
                waiting.removeFirst()
                continue
            }
            let batch = await batch()
            guard !batch.isEmpty else { break }
            waiting =
                batch.compactMap { finding in
                    guard case .observation(let observation) = finding else { return nil }
                    return observation
                }[...]
        }
        return taken
    }

    /// Returns the next `count` observations.
    func observations(_ count: Int) async -> [Observation] {
        await observations { $0.count >= count }
    }
}

/// A lookup that blocks until the test ends it.
final class Hang: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Blocks for this time, like a slow resolver.
    func wait(milliseconds: Int) {
        if semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success { semaphore.signal() }
    }

    func end() {
        semaphore.signal()
    }
}
