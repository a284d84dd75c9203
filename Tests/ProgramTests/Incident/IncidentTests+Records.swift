import ReachHistory

@testable import ReachMonitoring

extension IncidentTests {
    /// A run of five hours until 15:00, in which the NAS was down from 13:50 on, and the shop slow.
    func records(median: Int = 12) -> [StoredRecord] {
        let start = noon - .seconds(14_400)
        let end = noon + .seconds(3_600)
        var records: [StoredRecord] = targets.enumerated().map { index, target in
            let stored = StoredTarget(target, redaction: Redaction())
            return .target(id: Int64(index + 1), name: stored.name, url: stored.url, group: target.group)
        }
        records.append(.run(id: 1, source: "dashboard.toml", version: "1", start: start, seen: end, end: end))
        func event(
            _ kind: HistoryEvent.Kind,
            _ target: Int64,
            at time: Duration,
            _ change: (inout HistoryEvent) -> Void
        ) {
            var event = HistoryEvent(kind, at: time)
            change(&event)
            records.append(.event(event, target: target, run: 1))
        }
        for target in 1...3 {
            event(.transition, Int64(target), at: start + .seconds(1)) { ($0.from, $0.to) = (.unknown, .up) }
        }
        event(.acknowledged, 3, at: noon - .seconds(7_200)) { $0.detail = "known" }
        event(.transition, 1, at: noon - .seconds(600)) { event in
            (event.from, event.to, event.reason, event.detail) = (.up, .down, "refused", "refused")
            (event.since, event.length) = (event.time - .seconds(3), .seconds(13_000))
        }
        event(.traced, 1, at: noon - .seconds(595)) { event in
            (event.reason, event.detail) = ("silent", "10.0.0.1; hop 1, 10.0.0.1, of 3")
        }
        event(.hook, 1, at: noon - .seconds(598)) { event in
            (event.reason, event.detail, event.isSuccess) = ("down", "page me exited 0 in 0.1s", true)
            (event.since, event.length) = (noon - .seconds(599), .milliseconds(100))
        }
        event(.transition, 1, at: noon + .seconds(1_200)) { event in
            (event.from, event.to, event.length) = (.down, .up, .seconds(1_800))
        }
        let trips = { (median: Int) in
            ProbeFigures.RoundTrips(
                p50: RoundTripBucket(.milliseconds(median)),
                p95: RoundTripBucket(.milliseconds(median * 2)),
                p99: RoundTripBucket(.milliseconds(median * 2)),
                longest: RoundTripBucket(.milliseconds(median * 3))
            )
        }
        for minute in 0..<300 {
            let number = start.components.seconds / 60 + Int64(minute)
            for target in 1...3 as ClosedRange<Int64> {
                let isDown = target == 1 && (230..<260).contains(minute)
                let figures = ProbeFigures(
                    sent: 60,
                    lost: isDown ? 60 : 0,
                    roundTrips: isDown ? nil : trips(target == 3 ? median : 2)
                )
                records.append(.minute(figures, target: target, number: number))
            }
        }
        return records
    }
}
