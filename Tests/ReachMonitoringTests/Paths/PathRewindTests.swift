import Testing

@testable import ReachMonitoring

/// A trace as it was known at an earlier time.
struct PathRewindTests {
    private static let destination = PathDestination(address: "203.0.113.9", method: .icmp)

    /// A watched trace of two routers and the destination: one round a second, of which those after 60 s end at the first
    /// router.
    private static func trace(until last: Int64) -> PathTrace {
        var trace = PathTrace(destination: destination)
        trace.watch(at: .zero)
        var number: UInt32 = 0
        for second in 1...last {
            let sent = Duration.seconds(second)
            for hop in 1...3 {
                number += 1
                let probe = PathProbe(number: number, destination: destination, hop: hop)
                trace.recordSent(probe)
                guard hop == 1 || second <= 60 else {
                    trace.recordLoss(probe, sent: sent)
                    continue
                }
                let answer = PathAnswer(
                    probe: number,
                    source: hop == 3 ? destination.address : "10.0.0.\(hop)",
                    kind: hop == 3 ? .reached(.reply) : .exceeded,
                    roundTrip: .milliseconds(Int64(hop) * 10 + second % 7)
                )
                _ = trace.record(answer, to: probe, sent: sent, at: sent + answer.roundTrip)
            }
        }
        return trace
    }

    @Test(arguments: [5, 20, 60, 70, 90] as [Int64])
    func `a rewound trace equals the one of that time`(second: Int64) {
        let past = Self.trace(until: 90).rewound(to: .seconds(second))
        let then = Self.trace(until: second)
        let time = Duration.seconds(second) + .milliseconds(500)
        #expect(past.words(at: time) == then.words(at: time))
        #expect(past.end() == then.end())
        for (one, other) in zip(past.hops(), then.hops()) {
            #expect(one.sent == other.sent && one.lost == other.lost && one.address == other.address)
            #expect(one.last == other.last && one.mean == other.mean && one.best == other.best)
            #expect(one.worst == other.worst && one.jitter == other.jitter)
            #expect(Array(one.history) == Array(other.history))
        }
        #expect(past.hops().count == then.hops().count)
    }

    /// The path becomes shorter by one router, and another router answers at the first hop, after 60 s.
    @Test func `hops that have changed since have the router of then`() {
        var trace = PathTrace(destination: Self.destination)
        trace.watch(at: .zero)
        var number: UInt32 = 0
        for second in 1...80 as ClosedRange<Int64> {
            let sent = Duration.seconds(second)
            for hop in 1...(second <= 60 ? 3 : 2) {
                number += 1
                let probe = PathProbe(number: number, destination: Self.destination, hop: hop)
                trace.recordSent(probe)
                let isEnd = hop == (second <= 60 ? 3 : 2)
                let router = hop == 1 && second > 60 ? "10.0.9.1" : "10.0.0.\(hop)"
                let answer = PathAnswer(
                    probe: number,
                    source: isEnd ? Self.destination.address : router,
                    kind: isEnd ? .reached(.reply) : .exceeded,
                    roundTrip: .milliseconds(1)
                )
                _ = trace.record(answer, to: probe, sent: sent, at: sent + answer.roundTrip)
            }
        }
        #expect(trace.hops().map(\.address) == ["10.0.9.1", Self.destination.address])
        for routers in [[], ["10.0.0.1", "10.0.0.2", Self.destination.address]] {
            let past = trace.rewound(to: .seconds(50), routers: routers)
            #expect(past.hops().map(\.address) == ["10.0.0.1", "10.0.0.2", Self.destination.address])
            #expect(past.end() == .reached(hop: 3, address: Self.destination.address))
        }
        #expect(trace.rewound(to: .seconds(75)).hops().map(\.address) == trace.hops().map(\.address))
    }

    @Test func `before the first result, nothing was sent`() {
        let past = Self.trace(until: 10).rewound(to: .zero)
        #expect(past.hops().isEmpty && past.end() == .notSent)
    }

    @Test func `an idle trace is rewound to its newest results`() {
        var trace = Self.trace(until: 58)
        trace.endWatch(at: .seconds(59))
        let past = trace.rewound(to: .seconds(55))
        #expect(past.words(at: .seconds(55)) == [.ok, .ok, .ok] && past.end().isReached)
        #expect(past.hops().map(\.sent) == [9, 9, 9])
    }
}
