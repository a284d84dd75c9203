/// When each target is due to be asked. Time is an argument, and so the schedule needs neither a clock nor a task.
///
/// First probes are staggered over the interval; a probe is then due at its first time + n · interval, and a random
/// offset after it so that targets do not march in step. A slot that is missed is skipped: after a stall a target is
/// due once, never in a burst.
public struct Schedule: Sendable {
    /// The shortest interval; a shorter one would be due again while it is handed out.
    public static let shortestInterval = Duration.milliseconds(1)

    /// A target to be put on the schedule.
    public struct Entry: Sendable, Hashable {
        /// The target.
        public let id: Target.ID
        /// The time from one probe to the next.
        public let interval: Duration
        /// Each probe's largest random offset, as a share of the interval.
        public let spread: Double

        /// Pairs a target with its pace.
        public init(id: Target.ID, interval: Duration, spread: Double = 0) {
            self.id = id
            self.interval = interval
            self.spread = spread
        }
    }

    /// The slots of one target, in nanoseconds: a course is as small as it may be, since each is far away in memory by
    /// the time its target is due.
    private struct Course {
        let id: Target.ID
        /// Slot zero; slot n is `interval · n` later.
        var base: Int64
        var interval: Int64
        /// Each probe's largest random offset, as a share of the interval.
        var spread: Double
        /// When it was handed out last; before all time if it never was.
        var last = Int64.min
        /// Tells the slot that counts from those that a change of pace left behind on the agenda.
        var generation = 0

        init(_ entry: Entry, base: Int64, interval: Int64) {
            id = entry.id
            self.base = base
            self.interval = interval
            spread = entry.spread
        }

        /// How many probes a second it asks for.
        var rate: Double { 1e9 / Double(interval) }

        /// The first slot later than `time`.
        func slot(after time: Int64) -> Int64 {
            base + ((time - base) / interval + 1) * interval
        }
    }

    private struct Slot: Sendable {
        /// Whose slot it is.
        let place: Int
        let generation: Int
    }

    private var courses: [Course] = []
    /// Where the course of each target stands.
    private var places: [Target.ID: Int] = [:]
    /// Where a course of nobody stands.
    private var free: [Int] = []
    private var agenda = Agenda<Slot>()
    private var hastened: [Target.ID] = []
    private var hastenedAt = Duration.zero
    private var generations = 0
    private var generator: SplitMix

    /// How many probes a second the schedule asks for.
    public private(set) var rate = 0.0

    /// An empty schedule; the seed decides its random offsets.
    public init(seed: UInt64 = 0) {
        generator = SplitMix(seed: seed)
    }

    /// Whether this target is on the schedule.
    public func contains(_ id: Target.ID) -> Bool {
        places[id] != nil
    }

    /// When something is due next; nil while nothing is scheduled.
    public var next: Duration? {
        guard hastened.isEmpty else { return min(hastenedAt, agenda.next ?? hastenedAt) }
        return agenda.next
    }

    /// Whether somebody is due at once, besides the slots.
    public var isHastened: Bool { !hastened.isEmpty }

    /// Puts targets on the schedule: of n, the i-th is due first at `start` + interval · i / n. One that is on it
    /// already changes its pace and spread, and is not staggered again.
    public mutating func add(_ entries: [Entry], at start: Duration) {
        let fresh = entries.count { places[$0.id] == nil }
        var position = 0
        for entry in entries {
            let interval = Self.nanoseconds(of: entry.interval)
            if let place = places[entry.id] {
                courses[place].spread = entry.spread
                pace(entry.id, interval: entry.interval, at: start)
                continue
            }
            let stagger = (Duration.nanoseconds(interval) * position / fresh).nanoseconds
            position += 1
            let course = Course(entry, base: start.nanoseconds + stagger, interval: interval)
            put(course)
            rate += course.rate
        }
    }

    /// Takes targets off the schedule.
    public mutating func remove(_ ids: [Target.ID]) {
        for id in ids {
            guard let place = places.removeValue(forKey: id) else { continue }
            rate -= courses[place].rate
            courses[place].generation = 0
            free.append(place)
        }
        if places.isEmpty { rate = 0 }
        dropObsoleteSlots()
    }

    /// Changes the interval of a target: it is due that long after its last probe, or at once if that is over, and
    /// every interval from then on. One that was never asked is due at its first slot still, unless the new interval
    /// is over before.
    public mutating func pace(_ id: Target.ID, interval: Duration, at time: Duration) {
        let interval = Self.nanoseconds(of: interval)
        guard let place = places[id], courses[place].interval != interval else { return }
        var course = courses[place]
        let (before, now) = (course.rate, time.nanoseconds)
        course.interval = interval
        rate += course.rate - before
        course.base =
            course.last == .min ? min(course.base, now + interval) : max(now, course.last + interval)
        put(course)
        dropObsoleteSlots()
    }

    /// Makes targets due at once, besides their slots.
    public mutating func hasten(_ ids: [Target.ID], at time: Duration) {
        if hastened.isEmpty { hastenedAt = time }
        hastened += ids.filter(contains)
    }

    /// The targets that are due at `time`, the longest due first; each once, however many slots went by.
    public mutating func due(at time: Duration) -> [Target.ID] {
        var due: [Target.ID] = []
        let now = time.nanoseconds
        while let slot = agenda.take(at: time) {
            guard courses[slot.place].generation == slot.generation else { continue }
            courses[slot.place].last = now
            due.append(courses[slot.place].id)
            let next = courses[slot.place].slot(after: now) + offset(of: slot.place)
            agenda.add(slot, at: .nanoseconds(next))
        }
        if !hastened.isEmpty { takeHastened(into: &due, at: time) }
        dropObsoleteSlots()
        return due
    }

    private mutating func takeHastened(into due: inout [Target.ID], at time: Duration) {
        var known = Set(due)
        for id in hastened {
            guard let place = places[id], known.insert(id).inserted else { continue }
            courses[place].last = time.nanoseconds
            due.append(id)
        }
        hastened = []
    }

    private mutating func put(_ course: Course) {
        generations += 1
        var course = course
        course.generation = generations
        let place = places[course.id] ?? free.popLast() ?? courses.count
        if place < courses.count { courses[place] = course } else { courses.append(course) }
        places[course.id] = place
        agenda.add(Slot(place: place, generation: generations), at: .nanoseconds(course.base))
    }

    /// An interval as it is kept: so long that nobody lives to see it, at the most.
    private static func nanoseconds(of interval: Duration) -> Int64 {
        min(max(interval, shortestInterval).nanoseconds, .max / 4)
    }

    private mutating func offset(of place: Int) -> Int64 {
        let largest = Int64(Double(courses[place].interval) * min(max(courses[place].spread, 0), 1))
        return largest == 0 ? 0 : Int64.random(in: 0...largest, using: &generator)
    }

    private mutating func dropObsoleteSlots() {
        agenda.discard { courses[$0.place].generation != $0.generation }
    }
}
