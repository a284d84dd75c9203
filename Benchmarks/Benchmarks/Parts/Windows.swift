import Monitoring

/// Windows of samples, as a row of the table has one.
struct Windows {
    private let windows: [[Sample]] = (0..<100).map { row in
        (0..<Statistics.window).map { number in
            let trip = Duration.microseconds(1_000 + (number * 7_919 + row * 104_729) % 5_003)
            return Sample(time: .seconds(number), roundTrip: number % 50 == 49 ? nil : trip)
        }
    }

    /// The sum of what the rows show.
    func percentiles() -> Int {
        windows.reduce(0) { sum, window in
            let statistics = Statistics(window)
            let shown = [50, 90, 99].compactMap { statistics.percentile($0) }
            return sum + shown.reduce(0) { $0 + Int($1.components.attoseconds / 1_000_000_000) }
        }
    }
}
