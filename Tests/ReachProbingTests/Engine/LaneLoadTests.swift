import NIOCore
import NIOPosix
import ReachMonitoring
import Synchronization
import Testing

@testable import ReachProbing

/// Lanes that cannot keep their schedule, by a manual clock.
@Suite(.timeLimit(.minutes(1)))
struct LaneLoadTests {
    private static let echo = Question.icmp(host: "192.0.2.1")

    /// Runs a lane with targets that are due each second, in one turn of its event loop.
    ///
    /// - Returns: The reports of the lane.
    private static func reports(
        _ count: Int = 100,
        of question: Question = echo,
        _ run: @escaping @Sendable (Bench) -> Void
    ) async throws -> [ScheduleReport] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.submit {
            let bench = Bench(on: loop, count, question)
            run(bench)
            return bench.reports
        }.get()
    }

    @Test func `a lane that ticks in time has no report`() async throws {
        let reports = try await Self.reports { $0.run(for: .seconds(30), every: .milliseconds(10)) }
        #expect(reports == [])
    }

    @Test func `late ticks are a missed schedule until they are in time again`() async throws {
        let reports = try await Self.reports {
            $0.run(for: .seconds(10), every: .milliseconds(10))
            $0.run(for: .seconds(40), every: .milliseconds(900))
            $0.run(for: .seconds(30), every: .milliseconds(10))
        }
        let shares = reports.map(\.missedShare)
        // A probe is up to 0.9 s late, and counts from half a second.
        #expect(try #require(shares.compactMap(\.self).max()) > 0.3)
        #expect(shares.compactMap(\.self).allSatisfy { $0 < 0.6 })
        #expect(shares.last == .some(nil))
    }

    @Test func `a lane that sends half of its probes skips the others, and its backlog is bounded`() async throws {
        let reports = try await Self.reports(400) { bench in
            // A batch each half second.
            bench.run(for: .seconds(60), every: .milliseconds(500)) { #expect(bench.probes.backlog.count <= 400) }
        }
        let last = try #require(reports.last)
        #expect(last.skipped > 1_800)
        #expect(try #require(last.missedShare) > 0.5)
    }

    @Test func `commands that wait for others are late when they start`() async throws {
        let reports = try await Self.reports(of: .exec(.shell("true"))) { bench in
            bench.run(for: .seconds(30), every: .milliseconds(10)) {
                for probe in bench.prober.take(sentBefore: bench.now - .milliseconds(700)) {
                    bench.probes.receive(.started(probe))
                    bench.probes.receive(ProberEvent.ended(probe, .timeout))
                }
            }
        }
        #expect(try #require(reports.last?.missedShare) > 0.9)
    }

    @Test func `commands that are not started are skipped`() async throws {
        let reports = try await Self.reports(of: .exec(.shell("true"))) { bench in
            bench.run(for: .seconds(30), every: .milliseconds(10)) {
                for probe in bench.prober.take(sentBefore: bench.now - .milliseconds(100)) {
                    bench.probes.receive(ProberEvent.ended(probe, .fault(Fault(.internal, detail: "busy"))))
                }
            }
        }
        #expect(try #require(reports.last?.missedShare) > 0.9)
        #expect(reports.last?.late == 0)
    }

    @Test func `a target that delays its own next probe is not late`() async throws {
        let reports = try await Self.reports(of: .tcp(host: "192.0.2.1", port: 1)) { bench in
            bench.run(for: .seconds(30), every: .milliseconds(10)) {
                for probe in bench.prober.take(sentBefore: bench.now - .milliseconds(1_700)) {
                    bench.probes.receive(ProberEvent.ended(probe, .timeout))
                }
            }
        }
        #expect(reports == [])
    }

    @Test(arguments: [false, true])
    func `a stall of the program is not a missed schedule, one of the lane is`(isOfLane: Bool) async throws {
        let reports = try await Self.reports {
            $0.run(for: .seconds(12), every: .milliseconds(10))
            for _ in 1...3 {
                if isOfLane { $0.probes.lane.stalls.recordRun(1, at: $0.now + .seconds(2)) }
                $0.run(for: .seconds(3), every: .seconds(3))
                $0.run(for: .seconds(1), every: .milliseconds(10))
            }
            $0.run(for: .seconds(12), every: .milliseconds(10))
        }
        #expect(reports.contains { $0.missedShare != nil } == isOfLane)
    }

    /// A probe loop with a clock that the test sets.
    private final class Bench {
        /// A clock that stands still until it is set.
        private final class ManualClock: Sendable {
            let time = Mutex(Duration.zero)
        }

        let probes: ProbeLoop
        let prober = HoldingProber()
        private let buffer = FindingBuffer()
        private let clock = ManualClock()

        init(on loop: any EventLoop, _ count: Int, _ question: Question) {
            let clock = clock
            probes = makeLoop(on: LoopGate(loop), buffer) { clock.time.withLock(\.self) }
            probes.probers[question.method] = prober
            let assignments = (0..<count).map { number in
                let name = "\(number)"
                let target = Target(
                    name: name,
                    question: question,
                    interval: .seconds(1),
                    timeout: .seconds(1),
                    spread: 0
                )
                return ProbeRequest.Assignment(id: Target.ID(number), target: target)
            }
            probes.perform(.watch(assignments))
        }

        var now: Duration { clock.time.withLock(\.self) }

        /// The reports until now. Closes the loop.
        var reports: [ScheduleReport] {
            defer { probes.close() }
            probes.handOver()
            return buffer.removeAll().compactMap { finding in
                if case .schedule(let report, _, _) = finding { report } else { nil }
            }
        }

        /// Advances the clock, and ticks at each step.
        func run(for span: Duration, every step: Duration, _ body: () -> Void = {}) {
            let end = now + span
            while now < end {
                clock.time.withLock { $0 += step }
                probes.tick()
                body()
            }
        }
    }

    /// A prober that keeps its probes until the test takes them.
    private final class HoldingProber: MethodProber {
        private var held: [Probe] = []
        let nextDeadline: Duration? = nil

        func send(_ probe: Probe) { held.append(probe) }
        func expire(at time: Duration) {}
        func discardInFlight(at time: Duration) { held = [] }

        /// Removes and returns the probes that were sent before a time.
        func take(sentBefore time: Duration) -> [Probe] {
            defer { held.removeAll { $0.sent < time } }
            return held.filter { $0.sent < time }
        }
    }
}
