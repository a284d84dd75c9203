import ReachBasics

/// What the history has of a target's round-trip level: the usual one for each hour of the day, that of the newest minutes,
/// and the last change.
package struct StoredLevels: Sendable, Hashable {
    /// The usual levels by the hour of the day in UTC, as natural logarithms of microseconds.
    private var hours: [Int: Float] = [:]
    /// The figures of the newest minutes, by their numbers since 1970.
    private var minutes: [Int64: ProbeFigures] = [:]
    /// The last change of the level.
    package var lastShift: StoredShift?

    /// The time before the start of the program whose hours are read.
    package static let span = Duration.seconds(7 * 86_400)
    /// The time whose minutes are read.
    package static let minuteSpan = Duration.seconds(7_200)
    /// The number of minutes that the level is computed from.
    private static let levelMinutes = 15
    /// After a longer time without the program, the level is learned again.
    private static let oldest = Duration.seconds(86_400)

    package init() {}

    /// Whether there is nothing.
    package var isEmpty: Bool { hours.isEmpty && minutes.isEmpty && lastShift == nil }

    /// Adds the figures of an hour, by its number since 1970, in the order of their times.
    package mutating func add(_ figures: ProbeFigures, ofHour number: Int64) {
        guard let median = figures.roundTrips?.p50.roundTrip else { return }
        let (hour, level) = (Int(number.floorRemainder(by: 24)), median.logMicroseconds)
        hours[hour] = hours[hour].map { $0 + (level - $0) * HourlyLevels.dayShare } ?? level
    }

    /// Adds the figures of a minute, by its number since 1970.
    package mutating func add(_ figures: ProbeFigures, ofMinute number: Int64) {
        if figures.roundTrips != nil { minutes[number] = figures }
    }

    /// The state of a detector of the level as it would be now, had the program not ended.
    ///
    /// - Parameters:
    ///   - now: the time since 1970.
    ///   - zone: the offsets of local time.
    func snapshot(at now: Duration, zone: ZoneOffsets, under settings: ShiftSettings) -> LevelDetector.Snapshot? {
        let offset = Int((zone.offset(at: now).inSeconds / 3_600).rounded())
        var codes = [UInt16](repeating: 0, count: 24)
        for (hour, level) in hours {
            codes[Int(Int64(hour + offset).floorRemainder(by: 24))] = HourlyLevels.code(level)
        }
        let current = current(at: now)
        guard let level = current?.level ?? hours.values.first else { return nil }
        let lasting = lastShift.flatMap { $0.ends == nil && current != nil ? $0 : nil }
        let hour = Int(zone.local(now).flooredSeconds.floorDivided(by: 3_600).floorRemainder(by: 24))
        let usual = HourlyLevels(codes: codes, usualHours: 0).level(for: hour)
        let isUsual = usual.map { !settings.isLarge(from: $0, to: level) } ?? false
        return LevelDetector.Snapshot(
            level: level,
            deviation: current?.deviation ?? Self.leastDeviation,
            noise: current?.deviation ?? Self.leastDeviation,
            segmentReplies: UInt8(clamping: max(1, current?.replies ?? 0)),
            replies: UInt8(clamping: current?.replies ?? 0),
            reported: current?.level,
            previous: lasting.map { (Duration.milliseconds(1) * $0.before).logMicroseconds },
            previousAge: lasting.map { Int((now - $0.began).components.seconds) } ?? 0,
            hours: codes,
            usualHours: isUsual ? HourlyLevels.settledHours : 0
        )
    }

    private static let leastDeviation: Float = 0.003

    /// The level of the newest minutes after the last change, its deviation, and the number of replies.
    private func current(at now: Duration) -> (level: Float, deviation: Float, replies: Int)? {
        let start = lastShift.map { ($0.began.flooredSeconds + 59).floorDivided(by: 60) } ?? .min
        let newest = minutes.keys.filter { $0 >= start }.sorted().suffix(Self.levelMinutes)
        guard let last = newest.last else {
            // The last change is newer than all whole minutes.
            guard let shift = lastShift, now - shift.began < Self.oldest else { return nil }
            return ((Duration.milliseconds(1) * shift.after).logMicroseconds, 0.03, Int(StepDetector.warmup))
        }
        guard now - .seconds(last * 60) < Self.oldest else { return nil }
        let figures = newest.compactMap { minutes[$0] }
        let levels = figures.compactMap { $0.roundTrips?.p50.roundTrip.logMicroseconds }.sorted()
        // The 95th percentile of a normal distribution is 1.645 standard deviations above the median.
        let deviations = figures.compactMap { one in
            one.roundTrips.map { ($0.p95.roundTrip.logMicroseconds - $0.p50.roundTrip.logMicroseconds) / 1.645 }
        }.sorted()
        let deviation = max(Self.leastDeviation, deviations[deviations.count / 2])
        return (levels[levels.count / 2], deviation, figures.reduce(0) { $0 + $1.received })
    }
}

extension Roster {
    /// Restores the levels of targets from before the start of the program, unless they have enough replies of their own.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restore(_ levels: [Target.ID: StoredLevels], wall: WallTime, at now: Duration) {
        guard shifts != nil else { return }
        noteWall(wall)
        for (id, stored) in levels {
            guard let position = positions[id], let settings = states[position].target.shifts,
                shifts?[id]?.level.isReady != true,
                let snapshot = stored.snapshot(at: wall.start + now, zone: wall.zone, under: settings)
            else { continue }
            shifts?[id] = TargetShifts(level: snapshot, at: now)
            guard let last = stored.lastShift, last.ends == nil, snapshot.previous != nil else { continue }
            states[position].levelShift = LevelShift(last, startingAt: wall.start)
            remember(position, at: now)
        }
    }
}

extension LevelShift {
    /// The change of a stored one.
    ///
    /// - Parameter start: the wall time of the program's start.
    fileprivate init(_ stored: StoredShift, startingAt start: Duration) {
        // The wall clock may have been set back since.
        let began = min(stored.began - start, .zero)
        self.init(
            before: .milliseconds(1) * stored.before,
            after: .milliseconds(1) * stored.after,
            began: began,
            found: began
        )
    }
}
