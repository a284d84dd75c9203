import ReachMonitoring

/// Runs the detectors of the library over a trace.
enum Method {
    /// The steps of any size.
    static func steps(_ trace: Trace) -> [Detection] {
        run(trace, under: ShiftSettings()) { step, _ in
            step.map { (Duration.zero, Duration.zero, $0.began, exp($0.before), exp($0.after)) }
        }
    }

    /// The reports under settings.
    static func reports(_ trace: Trace, under settings: ShiftSettings) -> [Detection] {
        run(trace, under: settings) { _, shift in
            shift.map {
                ($0.before, $0.after, $0.began, $0.before / .milliseconds(1), $0.after / .milliseconds(1))
            }
        }
    }

    private typealias Found = (Duration, Duration, began: Duration, before: Double, after: Double)

    private static func run(
        _ trace: Trace,
        under settings: ShiftSettings,
        _ choose: (LevelStep?, LevelShift?) -> Found?
    ) -> [Detection] {
        var detector = LevelDetector()
        var places: [Int64: Int] = [:]
        var found: [Detection] = []
        for position in trace.times.indices {
            let now = Duration.milliseconds(Int64(trace.times[position] * 1000))
            places[now.inMilliseconds] = position
            let value = trace.roundTrips[position]
            let progress = detector.advance(
                roundTrip: value > 0 ? .nanoseconds(Int64(value * 1e6)) : nil,
                at: now,
                hour: trace.hours[position],
                under: settings
            )
            let shift = progress.shift.flatMap { $0.isCorrection ? nil : $0 }
            guard let change = choose(progress.step, shift) else { continue }
            let place = places[change.began.inMilliseconds] ?? position
            found.append(Detection(place: place, found: position, before: change.before, after: change.after))
        }
        return found
    }

    private static func exp(_ level: Float) -> Double { Double(level) }
}

extension Duration {
    /// Whole milliseconds.
    var inMilliseconds: Int64 { Int64((self / .milliseconds(1)).rounded()) }
}
