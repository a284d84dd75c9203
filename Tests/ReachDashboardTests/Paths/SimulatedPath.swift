@testable import ReachMonitoring
import TestSupport

/// A hop of an invented path.
struct SimulatedHop {
    /// The address; nil for a hop that never answers.
    var address: String?
    /// The round trips in milliseconds.
    var roundTrip = 1.0...2.0
    /// Whether a probe that is sent at a time is lost.
    var loses: (Duration) -> Bool = { _ in false }
    /// The factor of the round trips at a time.
    var factor: (Duration) -> Double = { _ in 1 }
    /// Whether the address is that of another trace.
    var isShared = false
    var labels: [MPLSLabel] = []
    var kind = PathAnswer.Kind.exceeded
}

extension SimulatedHop {
    init(_ address: String?, _ roundTrip: ClosedRange<Double> = 1...2) {
        (self.address, self.roundTrip) = (address, roundTrip)
    }

    /// The destination.
    static func end(_ address: String, _ roundTrip: ClosedRange<Double> = 1...2) -> SimulatedHop {
        var hop = SimulatedHop(address, roundTrip)
        hop.kind = .reached(.reply)
        return hop
    }

    /// The same hop, which loses the probes at some times.
    func losing(_ loses: @escaping (Duration) -> Bool) -> SimulatedHop {
        var hop = self
        hop.loses = loses
        return hop
    }
}

extension PathTrace {
    /// The trace of an invented path, with probes of all hops at some times.
    static func simulated(
        _ hops: [SimulatedHop],
        to destination: PathDestination,
        at times: [Duration],
        isWatched: Bool = false,
        using random: inout SplitMix
    ) -> PathTrace {
        var trace = PathTrace(destination: destination)
        if isWatched { trace.watch(at: times.first ?? .zero) } else { trace.begin(at: times.last ?? .zero) }
        var number: UInt32 = 0
        for (index, hop) in hops.enumerated() where hop.isShared {
            trace.share(hop.address, at: index + 1, confirmed: times.last)
        }
        for time in times {
            for (index, hop) in hops.enumerated() where !hop.isShared {
                number += 1
                let probe = PathProbe(number: number, destination: destination, hop: index + 1)
                trace.recordSent(probe)
                let roundTrip = Double.random(in: hop.roundTrip, using: &random) * hop.factor(time)
                guard let address = hop.address, !hop.loses(time) else {
                    trace.recordLoss(probe, sent: time)
                    continue
                }
                let answer = PathAnswer(
                    probe: number,
                    source: address,
                    kind: hop.kind,
                    roundTrip: .microseconds(Int(roundTrip * 1_000)),
                    labels: hop.labels
                )
                _ = trace.record(answer, to: probe, sent: time, at: time + answer.roundTrip)
            }
        }
        trace.trim()
        return trace
    }
}

extension PathSnapshot {
    /// The snapshot of an invented path to an address, with five probes of each hop.
    static func simulated(_ addresses: [String?], reaches: Bool = true) -> PathSnapshot {
        var hops = addresses.map { SimulatedHop($0) }
        if reaches, let last = addresses.last, let address = last { hops[hops.count - 1] = .end(address) }
        let destination = PathDestination(address: (addresses.last ?? nil) ?? "203.0.113.1", method: .icmp)
        var random = SplitMix(seed: 7)
        let times = (1...5).map { Duration.seconds($0) }
        return PathSnapshot(
            time: .seconds(6),
            trace: .simulated(hops, to: destination, at: times, using: &random)
        )
    }
}
