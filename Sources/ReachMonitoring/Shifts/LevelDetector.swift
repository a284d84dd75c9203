/// Detects lasting changes of a target's round-trip level, online.
///
/// The ``StepDetector`` finds steps of any size. This type compares the level after them with the last reported level,
/// and decides what is reported:
///
/// * A change is reported if it is large enough by the ``ShiftSettings``.
/// * Further steps in the same direction that follow closely belong to it: a ramp is one change. A drift too slow for
///   steps is reported when the level has been beyond the threshold for ``driftReplies``.
/// * A level that is usual for the hour of the day is none, unless the level before was unusual for hours.
///
/// The detector reads no clock and performs no I/O. Times count from the start of the program.
public struct LevelDetector: Sendable, Hashable {
    package private(set) var steps = StepDetector()
    private(set) var pace = ReplyPace()
    /// The level that the reports so far lead to; NaN before the first. Levels are natural logarithms of microseconds.
    private var reported = Float.nan
    /// The level before the last reported change that lasts; NaN without one.
    private var previous = Float.nan
    /// The level before the change before that one; NaN without one.
    private var older = Float.nan
    /// The level in the last report; NaN if the level has come to rest since, or if that change is over.
    private var said = Float.nan
    /// When these two changes began, in tenths of a second.
    private var previousBegan: Int32 = 0
    private var olderBegan: Int32 = 0
    /// When the level left the reported one, in wrapping milliseconds, if ``hasLeft``.
    private var left: UInt32 = 0
    private(set) var hours = HourlyLevels()
    /// The replies until the level counts as settled after a report. Until then, further changes in the same direction
    /// belong to the reported one.
    private var settling: UInt8 = 0
    /// The replies for which the level has been far from the reported one without a step.
    private var drifting: UInt8 = 0
    private var flags: Flags = []

    private struct Flags: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let hasLeft = Flags(rawValue: 1)
        static let wasRise = Flags(rawValue: 2)
    }

    /// Whether the level is away from the reported one, by half of the smallest change.
    private var hasLeft: Bool {
        get { flags.contains(.hasLeft) }
        set { if newValue { flags.insert(.hasLeft) } else { flags.remove(.hasLeft) } }
    }

    /// Whether the last reported change was a rise.
    private var wasRise: Bool {
        get { flags.contains(.wasRise) }
        set { if newValue { flags.insert(.wasRise) } else { flags.remove(.wasRise) } }
    }

    /// The replies after a step, and after a drift, in which the level must come to rest. A drift is slower.
    static let settlingAfterStep: UInt8 = 60
    static let settlingAfterDrift: UInt8 = 255
    /// The first of these replies: further steps in the same direction belong to the reported change, whatever their size.
    static let movingAfterStep: UInt8 = 30
    static let movingAfterDrift: UInt8 = 60
    /// The first replies after a step, in which its level is only roughly known.
    static let freshReplies: UInt8 = 12
    /// A level that moves by this share of the smallest change has not come to rest.
    static let movingShare: Float = 0.0625
    /// The replies for which a drift must stay beyond the threshold. A noisy level wanders for less.
    static let driftReplies: UInt8 = 30
    /// The same after a step that is not large enough by itself.
    static let repliesAfterStep: UInt8 = 4
    /// The level has left the reported one at half of the threshold.
    static let leavingShare: Float = 0.5

    /// Creates a detector without replies.
    public init() {}

    /// Whether there were enough replies to know a level.
    public var isReady: Bool { steps.isReady }

    /// The current level; nil before 30 replies.
    public var level: Duration? { isReady ? Duration(logMicroseconds: steps.mean) : nil }

    /// The usual level for an hour of the day, 0…23; nil before a day of history.
    public func usualLevel(forHour hour: Int) -> Duration? {
        hours.level(for: hour).map { Duration(logMicroseconds: $0) }
    }

    /// Records a finished probe.
    ///
    /// - Parameters:
    ///   - roundTrip: its round trip; nil if it was lost. Losses only show that the target is being probed.
    ///   - now: when it ended.
    ///   - hour: the hour of the day, 0…23, in local time; nil if there is no daily pattern to learn.
    /// - Returns: a change that is certain now; nil if there is none.
    public mutating func record(
        roundTrip: Duration?,
        at now: Duration,
        hour: Int? = nil,
        under settings: ShiftSettings = ShiftSettings()
    ) -> LevelShift? {
        advance(roundTrip: roundTrip, at: now, hour: hour, under: settings).shift
    }

    /// What a finished probe showed.
    package struct Progress: Sendable {
        /// A change that is certain now and large enough to report.
        package fileprivate(set) var shift: LevelShift?
        /// A step of the level that is certain now, of any size.
        package fileprivate(set) var step: LevelStep?
        /// Whether there was a gap before the probe.
        let followsGap: Bool
    }

    /// Records a finished probe, as ``record(roundTrip:at:hour:under:)`` does.
    package mutating func advance(
        roundTrip: Duration?,
        at now: Duration,
        hour: Int?,
        under settings: ShiftSettings
    ) -> Progress {
        var progress = Progress(followsGap: pace.advance(to: now))
        if progress.followsGap { interrupt() }
        guard let roundTrip, roundTrip > .zero else { return progress }
        let level = roundTrip.logMicroseconds
        progress.step = steps.record(level, at: now)
        if let hour { hours.record(level, current: steps.mean, hour: hour, under: settings) }
        guard isReady else { return progress }
        guard !reported.isNaN else {
            reported = steps.mean
            return progress
        }
        settle()
        progress.shift =
            if let correction = correctReport(at: now, under: settings) {
                correction
            } else if let step = progress.step {
                judge(step, at: now, hour: hour, under: settings)
            } else {
                followDrift(at: now, hour: hour, under: settings)
            }
        return progress
    }

    /// Drops what was seen of a change that has not been found yet. Call it when probing pauses; longer gaps between
    /// calls are recognized.
    public mutating func interrupt() {
        steps.dropCandidates()
        drifting = 0
        hasLeft = false
    }

    /// Takes the current level as reported. Call it after a change of the settings, so that more sensitive ones do not
    /// report old changes.
    public mutating func rebase() {
        guard isReady else { return }
        reported = steps.mean
        (settling, drifting, hasLeft, said) = (0, 0, false, .nan)
    }

    // MARK: Reports

    private mutating func judge(
        _ step: LevelStep,
        at now: Duration,
        hour: Int?,
        under settings: ShiftSettings
    ) -> LevelShift? {
        let isRise = step.after > step.before
        // Whether an earlier step that was too small began this change.
        let continues = hasLeft && drifting > 0 && isRise == (step.before > reported)
        drifting = 0
        if settling > 0, isRise == wasRise,
            isMoving || !settings.isLarge(from: step.before, to: step.after)
        {
            // A ramp goes on.
            reported = step.after
            extendSettling()
            return nil
        }
        if isFresh { reported = step.before }
        let isWhole = settings.isLarge(from: step.before, to: step.after) || isReturn(to: step.after, under: settings)
        noteLeaving(at: step.began.wrappingMilliseconds, under: settings)
        if isWhole || settings.isLarge(from: reported, to: step.after) {
            // A step that is large by itself dates the change, even if the level had drifted before.
            let isAlone = isWhole && !continues
            let began = isAlone || !hasLeft ? step.began : time(of: left, at: now)
            let before = isAlone ? step.before : reported
            settling = isAlone ? Self.settlingAfterStep : Self.settlingAfterDrift
            return report(step.after, from: before, began: began, at: now, hour: hour, under: settings)
        }
        // Its level is known from few replies, and may yet turn out to be large enough.
        drifting = Self.driftReplies - Self.repliesAfterStep
        return nil
    }

    /// Whether a step was reported a few replies ago.
    private var isFresh: Bool {
        settling > Self.settlingAfterStep - Self.freshReplies && settling <= Self.settlingAfterStep
    }

    /// Whether the level moved in the direction of the reported change not long ago.
    private var isMoving: Bool {
        settling > Self.settlingAfterStep
            ? settling > Self.settlingAfterDrift - Self.movingAfterDrift
            : settling > Self.settlingAfterStep - Self.movingAfterStep
    }

    private mutating func settle() {
        // While another level is likely, the present one is not at rest.
        guard settling > 0, !steps.isContested else { return }
        settling -= 1
        // The end of a drift is not the beginning of a step.
        if settling == Self.settlingAfterStep { settling -= Self.movingAfterStep }
    }

    private mutating func extendSettling() {
        settling = settling > Self.settlingAfterStep ? Self.settlingAfterDrift : Self.settlingAfterStep
    }

    private mutating func followDrift(at now: Duration, hour: Int?, under settings: ShiftSettings) -> LevelShift? {
        guard !steps.isContested else { return nil }
        let level = steps.mean
        if isFresh {
            reported = level
            return nil
        }
        if settling > 0, (level > reported) == wasRise {
            if settings.isLarge(from: reported, to: level, share: Self.movingShare) {
                // The reported change goes on.
                reported = level
                extendSettling()
            }
            return nil
        }
        noteLeaving(at: now.wrappingMilliseconds, under: settings)
        guard hasLeft, settings.isLarge(from: reported, to: level) || isReturn(to: level, under: settings) else {
            if drifting > 0 { drifting -= 1 }
            return nil
        }
        drifting = min(drifting + 1, Self.driftReplies)
        guard drifting == Self.driftReplies else { return nil }
        settling = Self.settlingAfterDrift
        return report(level, from: reported, began: time(of: left, at: now), at: now, hour: hour, under: settings)
    }

    /// Notes when the level leaves the reported one, and forgets it when the level returns.
    private mutating func noteLeaving(at time: UInt32, under settings: ShiftSettings) {
        let isAway = settings.isLarge(from: reported, to: steps.mean, share: Self.leavingShare)
        if isAway, !hasLeft { left = time }
        hasLeft = isAway
    }

    /// Whether a level is that before the last reported change. The end of a reported change is reported even if the
    /// level had moved in the meantime, so that the step back is a little too small.
    private func isReturn(to level: Float, under settings: ShiftSettings) -> Bool {
        !previous.isNaN && settings.isLarge(from: reported, to: level, share: Self.leavingShare)
            && !settings.isLarge(from: previous, to: level, share: Self.leavingShare)
    }

    private func time(of wrapping: UInt32, at now: Duration) -> Duration {
        now - .milliseconds(Int64(now.wrappingMilliseconds &- wrapping))
    }

    /// Makes a level the reported one, and returns the report unless the hour of the day explains the level.
    private mutating func report(
        _ level: Float,
        from before: Float,
        began: Duration,
        at now: Duration,
        hour: Int?,
        under settings: ShiftSettings
    ) -> LevelShift? {
        wasRise = level > before
        (reported, hasLeft) = (level, false)
        let returns = !previous.isNaN && !settings.isLarge(from: previous, to: level)
        if let hour, hours.explains(from: before, to: level, at: hour, under: settings) {
            if returns { endPrevious() }
            said = .nan
            return nil
        }
        hours.markUnusual()
        let began = Duration.milliseconds(Int64(began.tenths) * 100)
        let ends = returns ? max(.zero, began - .milliseconds(Int64(previousBegan) * 100)) : nil
        if returns {
            endPrevious()
        } else {
            (older, olderBegan) = (previous, previousBegan)
            (previous, previousBegan) = (before, began.tenths)
            said = level
        }
        return LevelShift(
            before: Duration(logMicroseconds: before),
            after: Duration(logMicroseconds: level),
            began: began,
            found: now,
            ends: ends,
            usual: hour.flatMap { usualLevel(forHour: $0) }
        )
    }
}

extension LevelDetector {
    /// Forgets the last reported change, which is over: the one before it may last.
    private mutating func endPrevious() {
        (previous, previousBegan) = (older, olderBegan)
        (older, said) = (.nan, .nan)
    }

    /// Returns the last report with the level that has come to rest, if that is another one: the first replies of a ramp, or
    /// of a change in several steps, are only its beginning. It may also turn out to be the end of the change before.
    private mutating func correctReport(at now: Duration, under settings: ShiftSettings) -> LevelShift? {
        guard !said.isNaN, !isMoving, !steps.isContested else { return nil }
        let wasSaid = said
        said = .nan
        guard settings.isLarge(from: wasSaid, to: reported), (reported > wasSaid) == wasRise else { return nil }
        let (before, began) = (previous, Duration.milliseconds(Int64(previousBegan) * 100))
        let returns = !older.isNaN && !settings.isLarge(from: older, to: reported)
        let ends = returns ? max(.zero, began - .milliseconds(Int64(olderBegan) * 100)) : nil
        if returns { (previous, older) = (.nan, .nan) }
        return LevelShift(
            before: Duration(logMicroseconds: before),
            after: Duration(logMicroseconds: reported),
            began: began,
            found: now,
            ends: ends,
            isCorrection: true
        )
    }
}

extension Duration {
    /// Tenths of a second.
    fileprivate var tenths: Int32 { Int32(clamping: Int64((self / .milliseconds(100)).rounded())) }
}

extension LevelDetector {
    /// The state of a detector in plain values, to restore it after a restart. Candidates for a change are not in it.
    package struct Snapshot: Sendable, Hashable {
        /// The current level. Levels are natural logarithms of microseconds.
        var level: Float
        /// The standard deviation of the current segment, in units of the logarithm.
        var deviation: Float
        /// The typical standard deviation within segments.
        var noise: Float
        /// The replies of the current segment, at most 40.
        var segmentReplies: UInt8
        /// The replies so far, at most 30.
        var replies: UInt8
        /// The level that the reports so far lead to; nil before the first 30 replies.
        var reported: Float?
        /// The level before the last reported change; nil if that is over.
        var previous: Float?
        /// The seconds since the last reported change began.
        var previousAge: Int
        /// The usual level of each hour of the day as a 16-bit code; zero where there is none.
        var hours: [UInt16]
        /// The number of successive hours with the usual level, at most three.
        var usualHours: UInt8
    }

    /// The state to keep over a restart.
    func snapshot(at now: Duration) -> Snapshot {
        let segment = steps.segment
        return Snapshot(
            level: steps.mean,
            deviation: segment.deviation,
            noise: steps.noise,
            segmentReplies: segment.count,
            replies: steps.replies,
            reported: reported.isNaN ? nil : reported,
            previous: previous.isNaN ? nil : previous,
            previousAge: Int(now.components.seconds) - Int(previousBegan) / 10,
            hours: hours.codes,
            usualHours: hours.usualHours
        )
    }

    /// Restores a detector. The time of the restart counts as a gap. An invalid snapshot is ignored.
    ///
    /// - Parameters:
    ///   - now: the time in this run of the program.
    ///   - downtime: the time since the snapshot.
    package init(_ snapshot: Snapshot, at now: Duration, after downtime: Duration = .zero) {
        let levels = -Duration.mostLogMicroseconds...Duration.mostLogMicroseconds
        guard levels.contains(snapshot.level), (0...10).contains(snapshot.deviation),
            (1e-6...10).contains(snapshot.noise), snapshot.segmentReplies > 0
        else { return }
        steps = StepDetector(
            mean: snapshot.level,
            deviation: snapshot.deviation,
            noise: snapshot.noise,
            count: snapshot.segmentReplies,
            replies: snapshot.replies
        )
        reported = snapshot.reported.flatMap { levels.contains($0) ? $0 : nil } ?? .nan
        previous = snapshot.previous.flatMap { levels.contains($0) ? $0 : nil } ?? .nan
        let age = Int64(Int32(clamping: snapshot.previousAge)) + downtime.components.seconds
        previousBegan = Int32(clamping: (now.components.seconds - age) * 10)
        hours = HourlyLevels(codes: snapshot.hours, usualHours: snapshot.usualHours)
    }
}
