import ReachBasics

/// The schedule of all probes. Time is an argument, so the schedule needs neither a clock nor a task.
///
/// First probes are staggered over a second, so that the first verdicts do not wait for a long interval. The slots after
/// them are staggered over the interval, with a random offset so that targets do not stay synchronized. A missed slot is
/// skipped: after a stall a target is due once, never in a burst.
public struct Schedule: Sendable {
    /// The shortest interval. With a shorter one, a target could be due again while its probe is returned.
    public static let shortestInterval = Duration.milliseconds(1)

    /// The time in which the first probes of new targets are due. With more targets than ``firstProbesPerSecond``, it is
    /// longer.
    public static let firstProbes = Duration.seconds(1)
    /// The largest rate of first probes that are staggered over less than the interval.
    public static let firstProbesPerSecond = 5_000

    /// A target to schedule.
    public struct Entry: Sendable, Hashable {
        /// The target.
        public let id: Target.ID
        /// The time from one probe to the next.
        public let interval: Duration
        /// Each probe's largest random offset, as a share of the interval.
        public let spread: Double

        /// Creates an entry.
        public init(id: Target.ID, interval: Duration, spread: Double = 0) {
            self.id = id
            self.interval = interval
            self.spread = spread
        }
    }

    /// A target that is due.
    package struct DueProbe: Sendable, Hashable {
        /// The target.
        package let id: Target.ID
        /// Its slot; nil if it was made due by ``Schedule/probeNow(_:at:)``.
        package let slot: DueSlot?
    }

    /// A slot of a target that is due.
    package struct DueSlot: Sendable, Hashable {
        /// When the target was due.
        package let time: Duration
        /// From when on its probe is late.
        package let lateFrom: Duration
        /// The number of later slots that have passed.
        package let skipped: Int

        /// - Parameter interval: the interval in nanoseconds. To divide a `Duration` is slow.
        init(_ time: Duration, every interval: Int64, at now: Duration) {
            self.time = time
            lateFrom = time + .nanoseconds(ScheduleLoad.lateness(for: interval))
            let delay = now - time
            skipped = delay < .nanoseconds(interval) ? 0 : Int(delay.nanoseconds / interval)
        }
    }

    /// The slots of one target, in nanoseconds. The type is small, since each access is likely to be a cache miss.
    private struct ScheduledTarget {
        let id: Target.ID
        /// When the first probe is due.
        var first: Int64
        /// Slot zero; slot n is `interval · n` later.
        var base: Int64
        var interval: Int64
        /// Each probe's largest random offset, as a share of the interval.
        var spread: Double
        /// When the target was due last; `Int64.min` if it never was.
        var last = Int64.min
        /// Distinguishes the current slot from obsolete ones in the queue, from before a change of pace.
        var generation = 0

        init(_ entry: Entry, first: Int64, base: Int64, interval: Int64) {
            id = entry.id
            self.first = first
            self.base = base
            self.interval = interval
            spread = entry.spread
        }

        /// The probes a second.
        var rate: Double { 1e9 / Double(interval) }

        /// The first slot later than `time`. The one after the first probe is at least half an interval later.
        func slot(after time: Int64) -> Int64 {
            let time = last == .min ? max(time, first + interval / 2) : time
            return time < base ? base : base + ((time - base) / interval + 1) * interval
        }
    }

    private struct Slot: Sendable {
        /// The index of the scheduled target.
        let index: Int
        let generation: Int
    }

    private var scheduled: [ScheduledTarget] = []
    /// The index of each target in ``scheduled``.
    private var indices: [Target.ID: Int] = [:]
    /// The indices in ``scheduled`` of removed targets.
    private var freeIndices: [Int] = []
    private var queue = CalendarQueue<Slot>()
    private var dueNow: [Target.ID] = []
    private var dueNowSince = Duration.zero
    private var generations = 0
    private var generator: SplitMix

    /// The probes a second of all targets.
    public private(set) var rate = 0.0

    /// Creates an empty schedule; the seed determines its random offsets.
    public init(seed: UInt64 = 0) {
        generator = SplitMix(seed: seed)
    }

    /// Whether this target is on the schedule.
    public func contains(_ id: Target.ID) -> Bool {
        indices[id] != nil
    }

    /// When the next target is due; nil if nothing is scheduled.
    public var next: Duration? {
        guard dueNow.isEmpty else { return min(dueNowSince, queue.next ?? dueNowSince) }
        return queue.next
    }

    /// Whether a target was made due by ``probeNow(_:at:)``.
    public var hasDueNow: Bool { !dueNow.isEmpty }

    /// Adds targets: of n new targets, the i-th is first due at `start` + i / n of ``firstProbes``, and then, half an
    /// interval later at the earliest, at `start` + interval · i / n and every interval from then on. A target that is already
    /// scheduled changes its pace and spread, and is not staggered again.
    public mutating func add(_ entries: [Entry], at start: Duration) {
        let newCount = entries.count { indices[$0.id] == nil }
        let window = max(Self.firstProbes, .seconds(1) * newCount / Self.firstProbesPerSecond)
        var position = 0
        for entry in entries {
            let interval = Self.nanoseconds(of: entry.interval)
            if let index = indices[entry.id] {
                scheduled[index].spread = entry.spread
                pace(entry.id, interval: entry.interval, at: start)
                continue
            }
            let stagger = { (time: Duration) in start.nanoseconds + (time * position / newCount).nanoseconds }
            let target = ScheduledTarget(
                entry,
                first: stagger(min(window, .nanoseconds(interval))),
                base: stagger(.nanoseconds(interval)),
                interval: interval
            )
            position += 1
            insert(target, dueAt: target.first)
            rate += target.rate
        }
    }

    /// Removes targets.
    public mutating func remove(_ ids: [Target.ID]) {
        for id in ids {
            guard let index = indices.removeValue(forKey: id) else { continue }
            rate -= scheduled[index].rate
            scheduled[index].generation = 0
            freeIndices.append(index)
        }
        if indices.isEmpty { rate = 0 }
        dropObsoleteSlots()
    }

    /// Changes the interval of a target. It is due one interval after its last probe, or at once if that is in the
    /// past, and every interval from then on. A target that was never probed is due at its first slot, or after the new
    /// interval if that is earlier.
    public mutating func pace(_ id: Target.ID, interval: Duration, at time: Duration) {
        let interval = Self.nanoseconds(of: interval)
        guard let index = indices[id], scheduled[index].interval != interval else { return }
        var target = scheduled[index]
        let (before, now) = (target.rate, time.nanoseconds)
        target.interval = interval
        rate += target.rate - before
        if target.last == .min {
            target.base = min(target.base, now + interval)
            target.first = min(target.first, target.base)
            insert(target, dueAt: target.first)
        } else {
            target.base = max(now, target.last + interval)
            insert(target, dueAt: target.base)
        }
        dropObsoleteSlots()
    }

    /// Makes targets due at once, in addition to their slots.
    public mutating func probeNow(_ ids: [Target.ID], at time: Duration) {
        if dueNow.isEmpty { dueNowSince = time }
        dueNow += ids.filter(contains)
    }

    /// Returns the targets that are due at `time`, the longest due first, each once even if it missed several slots.
    public mutating func due(at time: Duration) -> [Target.ID] {
        dueProbes(at: time).map(\.id)
    }

    /// Returns the same targets as ``due(at:)``, with their slots.
    package mutating func dueProbes(at time: Duration) -> [DueProbe] {
        var due: [DueProbe] = []
        let now = time.nanoseconds
        while let slotTime = queue.next, let slot = queue.take(at: time) {
            guard scheduled[slot.index].generation == slot.generation else { continue }
            let interval = scheduled[slot.index].interval
            let next = scheduled[slot.index].slot(after: now) + offset(of: slot.index)
            scheduled[slot.index].last = now
            due.append(DueProbe(id: scheduled[slot.index].id, slot: DueSlot(slotTime, every: interval, at: time)))
            queue.add(slot, at: .nanoseconds(next))
        }
        if !dueNow.isEmpty { removeDueNow(into: &due, at: time) }
        dropObsoleteSlots()
        return due
    }

    private mutating func removeDueNow(into due: inout [DueProbe], at time: Duration) {
        var known = Set(due.lazy.map(\.id))
        for id in dueNow {
            guard let index = indices[id], known.insert(id).inserted else { continue }
            scheduled[index].last = time.nanoseconds
            due.append(DueProbe(id: id, slot: nil))
        }
        dueNow = []
    }

    private mutating func insert(_ target: ScheduledTarget, dueAt time: Int64) {
        generations += 1
        var target = target
        target.generation = generations
        let index = indices[target.id] ?? freeIndices.popLast() ?? scheduled.count
        if index < scheduled.count { scheduled[index] = target } else { scheduled.append(target) }
        indices[target.id] = index
        queue.add(Slot(index: index, generation: generations), at: .nanoseconds(time))
    }

    /// An interval in nanoseconds, limited so that slots do not overflow.
    private static func nanoseconds(of interval: Duration) -> Int64 {
        min(max(interval, shortestInterval).nanoseconds, .max / 4)
    }

    private mutating func offset(of index: Int) -> Int64 {
        let spread = scheduled[index].spread
        // Not a number is not positive either.
        let largest = spread > 0 ? Int64(Double(scheduled[index].interval) * min(spread, 1)) : 0
        return largest == 0 ? 0 : Int64.random(in: 0...largest, using: &generator)
    }

    private mutating func dropObsoleteSlots() {
        queue.discard { scheduled[$0.index].generation != $0.generation }
    }
}

/// How a lane kept its schedule in the last ten seconds.
public struct ScheduleReport: Sendable, Hashable {
    /// The number of probes that left late.
    public let late: Int
    /// The number of probes that did not leave.
    public let skipped: Int
    /// The share of late and skipped probes, 0…1, if the lane does not keep its schedule; nil if it does.
    public let missedShare: Double?

    /// Creates a report.
    public init(late: Int, skipped: Int, missedShare: Double?) {
        self.late = late
        self.skipped = skipped
        self.missedShare = missedShare
    }
}

/// How all lanes keep their schedules, from their reports.
public struct ScheduleState: Sendable, Hashable {
    /// The number of probes that left late.
    public private(set) var late = 0
    /// The number of probes that did not leave.
    public private(set) var skipped = 0
    /// The shares of late and skipped probes of the lanes that miss their schedule, by lane.
    private var missedShares: [Int: Double] = [:]

    /// Creates the state of lanes that keep their schedules.
    public init() {}

    /// The share of late and skipped probes, 0…1, of the lane with the largest one; nil while all lanes keep their
    /// schedules.
    public var missedShare: Double? { missedShares.values.max() }

    /// Counts a report of a lane.
    mutating func record(_ report: ScheduleReport, of lane: Int) {
        late += report.late
        skipped += report.skipped
        missedShares[lane] = report.missedShare
    }
}
