import TestSupport
import Testing

@testable import ReachMonitoring

/// What differs between two moments, and what of it is worse.
@Suite struct MomentDifferenceTests {
    private func figures(_ median: Int, lost: Int = 0, sent: Int = 100) -> ProbeFigures {
        let bucket = RoundTripBucket(.milliseconds(median))
        let trips = ProbeFigures.RoundTrips(p50: bucket, p95: bucket, p99: bucket, longest: bucket)
        return ProbeFigures(sent: sent, lost: lost, roundTrips: lost == sent ? nil : trips)
    }

    private func difference(_ before: ComparedTarget?, _ after: ComparedTarget?) -> [String] {
        MomentDifference.all(from: before.map { [$0] } ?? [], to: after.map { [$0] } ?? [])
            .map { "\($0.change.rawValue)\($0.change.isWorse ? "!" : ""): \($0.text)" }
    }

    @Test func `healths`() {
        let (up, down) = (ComparedTarget("A", .up), ComparedTarget("A", .down, reason: "timeout"))
        let slow = ComparedTarget("A", .degraded, reason: "800ms over 500ms")
        #expect(difference(up, up) == [])
        #expect(difference(up, down) == ["down!: down: timeout, was up"])
        #expect(difference(down, up) == ["up: up, was down"])
        #expect(difference(up, slow) == ["degraded!: degraded: 800ms over 500ms, was up"])
        #expect(difference(down, slow) == ["up: degraded: 800ms over 500ms, was down"])
        #expect(
            difference(down, ComparedTarget("A", .down, reason: "refused")) == ["reason: down: refused, was timeout"]
        )
        #expect(difference(up, ComparedTarget("A", .unknown)) == ["unknown: unknown, was up"])
    }

    @Test(arguments: [
        (12, 38, "slower!"), (38, 12, "faster"), (12, 14, nil), (100, 110, nil), (100, 130, "slower!"), (1, 4, nil),
    ])
    func `medians differ by a fifth and five milliseconds`(before: Int, after: Int, change: String?) {
        let found = difference(
            ComparedTarget("A", .up, figures: figures(before)),
            ComparedTarget("A", .up, figures: figures(after))
        )
        #expect(found.map { String($0.prefix { $0 != ":" }) } == (change.map { [$0] } ?? []))
    }

    @Test func `losses count by themselves, and not for an outage`() {
        let (none, some, all) = (figures(5), figures(5, lost: 8), figures(5, lost: 100))
        let target = { (figures: ProbeFigures) in ComparedTarget("A", .up, figures: figures) }
        #expect(difference(target(none), target(some)) == ["lossier!: 8% of probes lost, was 0%"])
        #expect(difference(target(some), target(none)) == ["less_lossy: 0% of probes lost, was 8%"])
        #expect(difference(target(none), target(all)) == [])
        #expect(difference(target(none), target(figures(5, lost: 4))) == [])
    }

    @Test func `paths, where a silent hop is no other router`() {
        let target = { (hops: [String?]) in ComparedTarget("A", .up, hops: hops, pathEnd: "reached") }
        #expect(difference(target(["a", "b"]), target(["a", "c"])) == ["path: path: hop 2 is c, was b, reached"])
        #expect(difference(target(["a", "b"]), target(["a", nil])) == [])
    }

    @Test func `targets of one moment only, and the worse ones first`() {
        #expect(difference(nil, ComparedTarget("A", .up)) == ["added: new, up"])
        #expect(difference(nil, ComparedTarget("A", .down)) == ["down!: new, down"])
        #expect(difference(ComparedTarget("A", .up), nil) == ["removed: no longer there"])
        let all = MomentDifference.all(
            from: [ComparedTarget("A", .down), ComparedTarget("B", .up)],
            to: [ComparedTarget("A", .up), ComparedTarget("B", .down)]
        )
        #expect(all.map(\.name) == ["B", "A"])
    }
}
