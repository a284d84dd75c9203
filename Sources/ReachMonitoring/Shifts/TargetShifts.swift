/// The detectors of one target: round-trip level and loss rate. 272 bytes, without heap storage.
public struct TargetShifts: Sendable, Hashable {
    /// The detector of the round-trip level.
    public private(set) var level = LevelDetector()
    /// The detector of the loss rate.
    public private(set) var loss = LossDetector()

    /// The changes that one probe made certain.
    public struct Changes: Sendable, Hashable {
        /// A change of the round-trip level.
        public var level: LevelShift?
        /// A change of the loss rate.
        public var loss: LossShift?
    }

    /// Creates detectors without replies.
    public init() {}

    /// Restores the detector of the level after a restart. See ``LevelDetector/init(_:at:after:)``. The loss rate is learned
    /// again.
    package init(level: LevelDetector.Snapshot, at now: Duration, after downtime: Duration = .zero) {
        self.level = LevelDetector(level, at: now, after: downtime)
    }

    /// Records a finished probe. See ``LevelDetector/record(roundTrip:at:hour:under:)``.
    public mutating func record(
        roundTrip: Duration?,
        at now: Duration,
        hour: Int? = nil,
        under settings: ShiftSettings = ShiftSettings()
    ) -> Changes {
        let progress = level.advance(roundTrip: roundTrip, at: now, hour: hour, under: settings)
        if progress.followsGap { loss.interrupt() }
        let lossShift = loss.record(
            isLost: roundTrip == nil,
            at: now,
            interval: level.pace.interval,
            under: settings
        )
        return Changes(level: progress.shift, loss: lossShift)
    }

    /// Drops what was seen of changes that have not been found yet. Call it when probing pauses.
    public mutating func interrupt() {
        level.interrupt()
        loss.interrupt()
    }

    /// Takes the current level as reported. Call it after a change of the settings.
    public mutating func rebase() {
        level.rebase()
    }
}
