import TestSupport
import Testing

@testable import ReachMonitoring

struct PathTraceTests {
    /// Eight flows take turns, so that each is probed every eight seconds.
    @Test func `a flow that is seldom probed is not silent after two losses`() {
        var trace = PathTrace(destination: PathDestination(address: "203.0.113.9", method: .icmp))
        trace.watch(at: .zero)
        func record(_ round: Int, isLost: Bool) {
            let sent = Duration.seconds(8 * round)
            for hop in 1...2 {
                let probe = PathProbe(
                    number: UInt32(10 * round + hop),
                    destination: trace.destination,
                    hop: hop,
                    flow: 3
                )
                trace.recordSent(probe)
                guard !isLost else {
                    trace.recordLoss(probe, sent: sent)
                    continue
                }
                let answer = PathAnswer(
                    probe: probe.number,
                    source: hop == 1 ? "10.0.1.1" : "203.0.113.9",
                    kind: hop == 1 ? .exceeded : .reached(.reply),
                    roundTrip: .milliseconds(1)
                )
                _ = trace.record(answer, to: probe, sent: sent, at: sent + .milliseconds(1))
            }
        }
        for round in 1...20 { record(round, isLost: false) }
        for round in 21...22 {
            record(round, isLost: true)
            #expect(!trace.words(at: .seconds(8 * round), flow: 3).contains(.silent))
            #expect(trace.end(flow: 3).isReached)
        }
        record(23, isLost: true)
        #expect(trace.end(flow: 3) == .nothing)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `figures equal those of a plain computation`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var trace = PathTrace(destination: PathDestination(address: "203.0.113.9", method: .icmp))
        var times: [Duration] = []
        var results: [Duration?] = []
        trace.watch(at: .zero)
        for number in 1...300 as ClosedRange<UInt32> {
            let probe = PathProbe(number: number, destination: trace.destination, hop: 2)
            let sent = Duration.seconds(Int64(number))
            trace.recordSent(probe)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                trace.recordLoss(probe, sent: sent)
                results.append(nil)
            } else {
                let roundTrip = Duration.microseconds(Int64.random(in: 100..<90_000, using: &generator))
                let answer = PathAnswer(probe: number, source: "10.0.2.1", kind: .exceeded, roundTrip: roundTrip)
                _ = trace.record(answer, to: probe, sent: sent, at: sent + roundTrip)
                times.append(roundTrip)
                results.append(roundTrip)
            }
        }
        let hop = trace.hop(2)
        let sum = times.reduce(Duration.zero, +)
        let differences = zip(times, times.dropFirst()).reduce(Duration.zero) { $0 + max($1.0 - $1.1, $1.1 - $1.0) }
        func isNear(_ one: Duration?, _ other: Duration) -> Bool {
            one.map { max($0 - other, other - $0) <= .nanoseconds(1) } ?? false
        }
        #expect(
            hop?.sent == 300 && hop?.answered == times.count && hop?.lost == 300 - times.count && hop?.inFlight == 0
        )
        #expect(hop?.loss == Double(300 - times.count) / 300)
        #expect(hop?.last == times.last && hop?.best == times.min() && hop?.worst == times.max())
        #expect(isNear(hop?.mean, sum / times.count))
        #expect(isNear(hop?.jitter, differences / (times.count - 1)))
        #expect(hop?.history.map(\.roundTrip) == Array(results.suffix(PathTrace.watchedHistory)))
        #expect(hop?.history.map(\.sent) == (181...300).map { Duration.seconds($0) })
        trace.endWatch(at: .seconds(301))
        #expect(trace.hop(2)?.history.map(\.roundTrip) == Array(results.suffix(PathTrace.idleHistory)))
    }

    @Test func `a change of address is reported once, and traffic divided by packet never`() {
        var addresses = HopAddresses()
        for _ in 0..<30 { #expect(addresses.record("a") == nil) }
        #expect(addresses.record("b") == nil && addresses.isUndecided)
        #expect(addresses.record("b") == nil && addresses.record("b") == "a")
        #expect(addresses.current == "b" && !addresses.isUndecided)
        for _ in 0..<30 { #expect(addresses.record("b") == nil) }
        // Short runs of both in turn: a group.
        for _ in 0..<30 { #expect(addresses.record("c") == nil && addresses.record("b") == nil) }
        for _ in 0..<30 { #expect(addresses.record("c") == nil) }
        #expect(addresses.all.reduce(0) { $0 + $1.count } == 153)
        var reports = 0
        for seed in 1...500 as ClosedRange<UInt64> {
            var (generator, addresses) = (SplitMix(seed: seed), HopAddresses())
            let share = Double(seed % 9 + 1) / 10
            let changes = (0..<120).compactMap { _ in
                addresses.record(Double.random(in: 0..<1, using: &generator) < share ? "a" : "b")
            }
            if !changes.isEmpty { reports += 1 }
        }
        #expect(reports <= 5)
    }

    @Test func `the number of addresses of a hop is bounded`() {
        var addresses = HopAddresses()
        for number in 0..<1_000 { _ = addresses.record("a\(number % 37)") }
        #expect(addresses.all.count == HopAddresses.limit)
    }

    @Test func `an idle trace is small`() {
        #expect(MemoryLayout<PathResult>.size == 8)
        #expect(MemoryLayout<PathHop>.stride <= 256)
        #expect(MemoryLayout<PathTrace>.stride <= 256)
    }

    @Test(arguments: [
        (PathEnd.silent(hop: 2, address: "10.1.0.1", length: 5), "ends after 10.1.0.1, hop 2 of 5"),
        (.silent(hop: 2, address: "10.1.0.1", length: nil), "ends after 10.1.0.1, hop 2"),
        (.reached(hop: 5, address: "a"), "reaches the target"),
        (.unreachable(.hostUnreachable, hop: 2, address: "10.1.0.1"), "10.1.0.1, hop 2, reports: host unreachable"),
        (.unreachable(.protocolUnreachable, hop: 2, address: "a"), "a, hop 2, reports: protocol unreachable"),
        (.unreachable(.other, hop: 2, address: "a"), "a, hop 2, reports: unreachable"),
        (.loop(hop: 4, addresses: ["a"]), "packets loop at a, hop 4"),
        (.nothing, "nothing answers, not even the first hop"),
        (.notSent, "nothing was sent"),
    ])
    func `ends read as sentences`(end: PathEnd, summary: String) {
        #expect(end.summary == summary)
    }
}
