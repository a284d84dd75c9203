import ReachBasics

/// Finds the changes of a target's round-trip level and loss rate in the stored minutes of its history.
///
/// The level of a minute is its median, so that changes are dated to the minute, and those of a few minutes are missed.
package struct ShiftReplay: Sendable {
    private let settings: ShiftSettings
    private let zone: ZoneOffsets
    /// The times of the detectors count from here, since 1970.
    private let start: Duration
    private var level = LevelDetector()
    private var loss = LossDetector()
    private var lastLoss: LossShift?
    /// The number of minutes with probes.
    package private(set) var minutes = 0

    /// The number of minutes from which a level is known.
    package static let leastMinutes = Int(StepDetector.warmup)

    /// The probes of a minute that count for the loss rate: as many as a detector can tell apart.
    private static let mostOutcomes = 120

    /// Creates a replay without minutes.
    ///
    /// - Parameters:
    ///   - start: a time before the first minute, since 1970.
    ///   - zone: the offsets of local time.
    package init(under settings: ShiftSettings, startingAt start: Duration, zone: ZoneOffsets) {
        (self.settings, self.start, self.zone) = (settings, start, zone)
    }

    /// Adds a minute, by its number since 1970, in the order of their times.
    ///
    /// - Returns: the changes that it makes certain, with times since 1970.
    package mutating func add(_ figures: ProbeFigures, ofMinute number: Int64) -> [StoredShift] {
        guard figures.sent > 0 else { return [] }
        minutes += 1
        let time = Duration.seconds(number * 60) - start
        let hour = Int(zone.local(time + start).flooredSeconds.floorDivided(by: 3_600).floorRemainder(by: 24))
        let median = figures.roundTrips?.p50.roundTrip
        let progress = level.advance(roundTrip: median, at: time, hour: hour, under: settings)
        if progress.followsGap { loss.interrupt() }
        let shifts = [progress.shift.map(ShiftNews.level), addOutcomes(figures, at: time).map(ShiftNews.loss)]
        return shifts.compactMap { $0.flatMap { StoredShift($0, startingAt: start) } }
    }

    /// Adds the outcomes of a minute, its losses evenly spread.
    private mutating func addOutcomes(_ figures: ProbeFigures, at time: Duration) -> LossShift? {
        let count = min(figures.sent, Self.mostOutcomes)
        let lost = (figures.lost * count + figures.sent - 1) / figures.sent
        let interval = Duration.seconds(60) / count
        var found: LossShift?
        for index in 0..<count {
            let isLost = (index + 1) * lost / count > index * lost / count
            let now = time + interval * index
            guard let shift = loss.record(isLost: isLost, at: now, interval: interval, under: settings) else {
                continue
            }
            found = shift.following(lastLoss, under: settings)
            lastLoss = found
        }
        return found
    }
}

extension StoredShift {
    /// The stored form of a change whose times count from a start, since 1970.
    fileprivate init?(_ news: ShiftNews, startingAt start: Duration) {
        guard let shift = StoredShift(news) else { return nil }
        self = shift.moved(by: start)
    }
}
