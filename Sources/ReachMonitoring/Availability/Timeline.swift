/// The past conditions of all targets, for a look at the past: an entry for each event of a target.
///
/// The number of entries is bounded. Of the oldest ones, only the newest of each target is kept.
struct Timeline: Sendable {
    private struct Entry: Sendable {
        let target: Target.ID
        let time: Duration
        let condition: Condition
    }

    /// The entries in the order of the events. The times of one target ascend.
    private var entries: [Entry] = []
    /// The times in which the program did not run, oldest first.
    private var gaps: [Range<Duration>] = []
    /// The position of each target's newest entry.
    private var newest = TargetMap<Int>()
    /// When each target was added.
    private var starts = TargetMap<Duration>()
    /// What the history has of each target around a moment before the start of the program.
    private var stored = TargetMap<StoredState>()

    /// The number of entries that are kept beside the newest one of each target.
    private let capacity: Int

    /// The number of gaps that are kept.
    private static let gapCapacity = 1_000

    /// - Parameter capacity: The number of entries that are kept beside the newest one of each target; by default enough
    ///   for a day with many outages.
    init(capacity: Int = 20_000) {
        self.capacity = capacity
    }

    /// The number of entries.
    var count: Int { entries.count }

    /// Records the condition of a target after an event.
    mutating func record(_ condition: Condition, of target: Target.ID, at time: Duration) {
        let entry = Entry(target: target, time: time, condition: condition)
        if let last = newest[target], entries[last].time >= time {
            // Another event of the same time.
            entries[last] = entry
        } else {
            append(entry)
        }
    }

    /// Records that a target was added.
    mutating func add(_ target: Target.ID, at time: Duration) {
        starts[target] = time
    }

    /// When a target was added; nil if that was not recorded.
    func start(of target: Target.ID) -> Duration? {
        starts[target]
    }

    /// Adds what the history has of a target around a moment before the start of the program.
    mutating func restore(_ state: StoredState, of target: Target.ID) {
        stored[target] = state
    }

    /// What the history has of a target around a moment before the start of the program; nil if it has nothing.
    func stored(of target: Target.ID) -> StoredState? { stored[target] }

    /// Records that the program did not run.
    mutating func recordGap(_ gap: Range<Duration>) {
        gaps.append(gap)
        if gaps.count > Self.gapCapacity { gaps.removeFirst(Self.gapCapacity / 2) }
    }

    private mutating func append(_ entry: Entry) {
        newest[entry.target] = entries.count
        entries.append(entry)
        if entries.count > capacity + 2 * newest.count { dropOlderHalf() }
    }

    /// Drops the older half of the entries, except the newest of each target.
    private mutating func dropOlderHalf() {
        let cut = entries.count / 2
        var last = TargetMap<Int>()
        for index in 0..<cut { last[entries[index].target] = index }
        let kept = (0..<cut).filter { last[entries[$0].target] == $0 }.map { entries[$0] }
        entries.replaceSubrange(0..<cut, with: kept)
        newest = TargetMap()
        for (index, entry) in entries.enumerated() { newest[entry.target] = index }
    }

    /// Removes the entries of targets.
    mutating func forget(_ targets: [Target.ID]) {
        let targets = Set(targets)
        guard !targets.isEmpty else { return }
        for target in targets { (starts[target], stored[target]) = (nil, nil) }
        entries.removeAll { targets.contains($0.target) }
        newest = TargetMap()
        for (index, entry) in entries.enumerated() { newest[entry.target] = index }
    }

    /// The newest condition of a target; nil if none is known.
    func newestCondition(of target: Target.ID) -> Condition? {
        newest[target].map { entries[$0].condition }
    }

    /// Returns the spans of targets until a time. Those of each begin with the first condition that is kept.
    ///
    /// - Parameter place: the place of a common cause.
    func spans(
        of targets: [Target.ID],
        until now: Duration,
        place: (CommonCause.ID) -> String? = { _ in nil }
    ) -> [Target.ID: [WatchedSpan]] {
        var folds = TargetMap<ConditionFold>()
        for id in targets { folds[id] = ConditionFold() }
        for entry in entries where entry.time <= now {
            folds[entry.target]?.apply(entry.condition, at: entry.time, place: place)
        }
        let past = gaps.filter { $0.upperBound <= now }
        var spans: [Target.ID: [WatchedSpan]] = [:]
        for id in targets { spans[id] = folds[id]?.spans(until: now, without: past) }
        return spans
    }

    /// Returns the conditions at a time; targets whose condition is unknown are absent.
    func conditions(at time: Duration) -> TargetMap<Condition> {
        var positions = TargetMap<Int>()
        for (index, entry) in entries.enumerated() where entry.time <= time { positions[entry.target] = index }
        var conditions = TargetMap<Condition>()
        for id in positions.ids { conditions[id] = positions[id].map { entries[$0].condition } }
        return conditions
    }
}

extension Roster {
    /// Returns the roster as it was at a past time. Its targets are the present ones, without those that were added later.
    /// State that was not recorded is unknown. Times before the start of the program need a roster that is restored to one.
    ///
    /// - Precondition: The roster keeps its past.
    package func rewound(to time: Duration) -> Roster {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        let conditions = timeline.conditions(at: time)
        var past = self
        let existing = states.filter { timeline.start(of: $0.id).map { $0 <= max(.zero, time) } ?? true }
        past.states = TargetStates(
            existing.map { $0.rewound(to: time, conditions[$0.id], timeline.stored(of: $0.id)) }
        )
        if existing.count < states.count { past.findPositions() }
        past.vantage.recount(past.states)
        past.causes?.rewind(to: time)
        past.sideWatch = sideWatch?.rewound(to: time)
        return past
    }

    /// When a target was added, since the start of the program: zero for the targets of the first settings.
    ///
    /// - Precondition: The roster keeps its past.
    package func start(of id: Target.ID) -> Duration {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        return timeline.start(of: id) ?? .zero
    }

    /// Returns the spans of targets in this run of the program until a time, in wall time. They begin with the run, or with
    /// the oldest event that is kept.
    ///
    /// - Precondition: The roster keeps its past.
    package func spans(of ids: [Target.ID], until now: Duration, wall: WallTime) -> [Target.ID: [WatchedSpan]] {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        let places = causes?.places ?? [:]
        return timeline.spans(of: ids, until: now) { places[$0] }.mapValues { spans in
            spans.map { span in
                var span = span
                (span.start, span.end) = (wall.start + span.start, wall.start + span.end)
                span.firstReply = span.firstReply.map { wall.start + $0 }
                return span
            }
        }
    }

    /// Remembers the condition of a target, if the roster keeps its past, and for the search for causes.
    mutating func remember(_ position: Int, at time: Duration) {
        causes?.noteCondition(of: states[position].id)
        timeline?.record(Condition(states[position]), of: states[position].id, at: time)
    }

    /// Remembers a target after a finished probe, if the failure or what the reply says is new.
    mutating func rememberAnswer(of position: Int, at time: Duration) {
        // A copy of the timeline would be alive while it is changed, so that all of it would be copied.
        guard timeline != nil else { return }
        let newest = timeline?.newestCondition(of: states[position].id)
        if newest.map({ states[position].isRepeated(by: $0) }) != true { remember(position, at: time) }
    }
}
