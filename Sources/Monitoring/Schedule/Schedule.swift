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

    /// The slots of one target.
    private struct Course {
        let id: Target.ID
        /// Slot zero; slot n is `interval · n` later.
        var base: Duration
        var interval: Duration
        var spread: Double
        /// When it was handed out last.
        var last: Duration?
        /// Tells the slot that counts from those that a change of pace left behind on the agenda.
        var generation = 0

        /// The first slot later than `time`.
        func slot(after time: Duration) -> Duration {
            let passed = (time - base).nanoseconds / interval.nanoseconds
            let slot = base + interval * Int(passed + 1)
            return slot > time ? slot : slot + interval
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

    /// Puts targets on the schedule: of n, the i-th is due first at `start` + interval · i / n. One that is on it
    /// already changes its pace and spread, and is not staggered again.
    public mutating func add(_ entries: [Entry], at start: Duration) {
        let fresh = entries.count { places[$0.id] == nil }
        var position = 0
        for entry in entries {
            let interval = max(entry.interval, Self.shortestInterval)
            if let place = places[entry.id] {
                courses[place].spread = entry.spread
                pace(entry.id, interval: interval, at: start)
                continue
            }
            let base = start + interval * position / fresh
            position += 1
            put(Course(id: entry.id, base: base, interval: interval, spread: entry.spread))
            rate += 1 / interval.inSeconds
        }
    }

    /// Takes targets off the schedule.
    public mutating func remove(_ ids: [Target.ID]) {
        for id in ids {
            guard let place = places.removeValue(forKey: id) else { continue }
            rate -= 1 / courses[place].interval.inSeconds
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
        let interval = max(interval, Self.shortestInterval)
        guard let place = places[id], courses[place].interval != interval else { return }
        var course = courses[place]
        rate += 1 / interval.inSeconds - 1 / course.interval.inSeconds
        course.interval = interval
        course.base = course.last.map { max(time, $0 + interval) } ?? min(course.base, time + interval)
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
        while let slot = agenda.take(at: time) {
            guard courses[slot.place].generation == slot.generation else { continue }
            courses[slot.place].last = time
            let course = courses[slot.place]
            due.append(course.id)
            agenda.add(slot, at: course.slot(after: time) + .nanoseconds(offset(of: course)))
        }
        if !hastened.isEmpty { takeHastened(into: &due, at: time) }
        dropObsoleteSlots()
        return due
    }

    private mutating func takeHastened(into due: inout [Target.ID], at time: Duration) {
        var known = Set(due)
        for id in hastened {
            guard let place = places[id], known.insert(id).inserted else { continue }
            courses[place].last = time
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
        agenda.add(Slot(place: place, generation: generations), at: course.base)
    }

    private mutating func offset(of course: Course) -> Int64 {
        let largest = Int64(Double(course.interval.nanoseconds) * min(max(course.spread, 0), 1))
        return largest == 0 ? 0 : Int64.random(in: 0...largest, using: &generator)
    }

    private mutating func dropObsoleteSlots() {
        agenda.discard { courses[$0.place].generation != $0.generation }
    }
}
