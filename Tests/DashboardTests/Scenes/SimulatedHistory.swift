import Monitoring
import Screen
import TestSupport

@testable import Dashboard

/// An invented history of each target before the start of a scene.
enum SimulatedHistory {
    /// Local time in Berlin, with the end of summer time on 25 October 2026.
    static let zone = ZoneOffsets(
        .seconds(7_200),
        changes: [.init(at: .seconds(1_792_890_000), to: .seconds(3_600))]
    )
    private static let start = Scene.wall.start

    static func answer(_ request: HistoryRequest) -> HistoryAnswer {
        switch request {
        case .pasts(let assignments):
            let pasts = assignments.map { ($0.id, TargetPast(spans(of: $0.target))) }
            return .pasts(Dictionary(pasts) { _, new in new })
        case .figures(let assignment, _):
            var past = TargetPast(spans(of: assignment.target))
            past.figures = past.spans.isEmpty ? nil : figures
            return .figures(assignment.id, past)
        case .availability(let assignments):
            let all = assignments.compactMap { assignment -> (Target.ID, PeriodAvailability)? in
                let spans = spans(of: assignment.target)
                return spans.isEmpty ? nil : (assignment.id, PeriodAvailability(spans, at: start))
            }
            return .availability(Dictionary(all) { _, new in new })
        case .hookRuns:
            return .hookRuns(StoredPast())
        }
    }

    private static let figures = ProbeFigures(
        sent: 777_600,
        lost: 312,
        roundTrips: .init(
            p50: RoundTripBucket(.microseconds(700)),
            p95: RoundTripBucket(.microseconds(1_900)),
            p99: RoundTripBucket(.milliseconds(4)),
            longest: RoundTripBucket(.milliseconds(910))
        )
    )

    /// The spans: the same for the same URL. Some targets are watched for less than 90 days, those with an A not at all.
    private static func spans(of target: Target) -> [WatchedSpan] {
        var random = SplitMix(seed: target.question.url.utf8.reduce(UInt64(17)) { $0 &* 31 &+ UInt64($1) })
        let isWatched = !target.name.hasPrefix("A")
        let days = isWatched ? [12, 55, 90, 90, 90, 90].randomElement(using: &random) ?? 90 : 0
        var spans: [WatchedSpan] = []
        var time = start - .seconds(days * 86_400)
        func add(_ state: WatchedSpan.State, _ length: Int, because cause: String? = nil) {
            let end = min(start - .seconds(40), time + .seconds(length))
            if end > time { spans.append(WatchedSpan(state, from: time, until: end, because: cause)) }
            time = max(time, end)
        }
        while time < start - .seconds(40) {
            add(.up, Int.random(in: 3 * 3_600...16 * 86_400, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: add(.degraded, Int.random(in: 60..<7_200, using: &random))
            case 1: add(.paused, Int.random(in: 3_600..<3 * 86_400, using: &random))
            case 2: time += .seconds(Int.random(in: 600..<86_400, using: &random))
            case 3: add(.blocked, Int.random(in: 60..<20_000, using: &random))
            default:
                let cause = ["timeout", "refused", "no route to host"].randomElement(using: &random)
                add(.down, Int.random(in: 20..<9_000, using: &random), because: cause)
            }
        }
        return spans
    }
}

extension Scene {
    /// Answers the requests for the history since an index of the effects.
    mutating func answerHistory(from index: Int = 0) {
        var index = index
        while index < effects.count {
            if case .readHistory(let request) = effects[index] {
                send(.history(SimulatedHistory.answer(request), SimulatedHistory.zone, at: now))
            }
            index += 1
        }
    }

    /// Answers one of the requests for the history, counted from zero.
    mutating func answerHistory(number: Int) {
        let requests = effects.compactMap { effect in
            if case .readHistory(let request) = effect { request } else { nil }
        }
        send(.history(SimulatedHistory.answer(requests[number]), SimulatedHistory.zone, at: now))
    }

    /// Presses keys, and answers the requests for the history that follow.
    mutating func pressWithHistory(_ keys: Key...) {
        for key in keys {
            let before = effects.count
            press(key)
            answerHistory(from: before)
        }
    }

    /// Reports that the history cannot be read.
    mutating func refuseHistory(_ problem: String = "the history is off") {
        send(.history(.unreadable(problem), SimulatedHistory.zone, at: now))
    }
}
