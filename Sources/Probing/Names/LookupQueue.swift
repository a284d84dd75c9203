/// A queue of names to look up, a few at a time. Lookups that hang do not count, so that a name that resolves does not
/// wait behind many that do not. The queue decides; its owner does the lookups.
struct LookupQueue: Sendable {
    /// The number of names looked up at the same time, not counting slow ones.
    let places: Int
    /// The time after which a lookup frees its place for the next one, and continues in addition.
    static let placeTimeout = Duration.milliseconds(10)
    /// The minimum time of a lookup whose server does not answer: a second or more (resolv.conf(5): twice five).
    static let slowThreshold = Duration.seconds(1)
    /// The time without new lookups after the system has refused a thread.
    static let refusalPause = Duration.seconds(1)

    /// The maximum number of lookups in flight, slow ones included. Each takes a thread.
    let most: Int
    /// The lowered limit after the system has refused a thread, and its end.
    private var lowered: (most: Int, until: Duration)?
    /// The names that wait for a place, in order.
    private var waiting: ArraySlice<NameQuery> = []
    /// The names that wait after those: their last lookup was slow.
    private var slowWaiting: ArraySlice<NameQuery> = []
    /// The lookups in flight with their start, the oldest first.
    private var running: [(name: NameQuery, since: Duration)] = []
    private var slow: Set<NameQuery> = []
    /// The lookups in flight of names whose last lookup was slow.
    private var runningSlow: Set<NameQuery> = []

    init(places: Int, most: Int) {
        self.places = places
        self.most = most
    }

    /// When ``start(at:)`` must be called again because of the time alone; nil while nothing can be started.
    var nextDeadline: Duration? {
        guard !waiting.isEmpty || !slowWaiting.isEmpty && runningSlow.count < most / 2 else { return nil }
        if let lowered, running.count >= lowered.most { return lowered.until }
        guard running.count < most, running.count >= places else { return nil }
        // All lookups that count have started after this one.
        return running[running.count - places].since + Self.placeTimeout
    }

    /// Adds a name to the queue.
    mutating func add(_ name: NameQuery) {
        if slow.contains(name) { slowWaiting.append(name) } else { waiting.append(name) }
    }

    /// Returns the names to look up now. Names whose last lookup was slow leave half of the threads to the others.
    mutating func start(at time: Duration) -> [NameQuery] {
        if let lowered, lowered.until <= time { self.lowered = nil }
        let counting = running.reversed().prefix { $0.since + Self.placeTimeout > time }.count
        let free = min(places - counting, (lowered?.most ?? most) - running.count)
        var started: [NameQuery] = []
        while started.count < free, let name = waiting.popFirst() ?? nextSlow() {
            started.append(name)
            running.append((name, time))
        }
        return started
    }

    private mutating func nextSlow() -> NameQuery? {
        guard runningSlow.count < max(1, most / 2), let name = slowWaiting.popFirst() else { return nil }
        runningSlow.insert(name)
        return name
    }

    /// Whether this is the only lookup in flight.
    func isAlone(_ name: NameQuery) -> Bool {
        running.count == 1 && running[0].name == name
    }

    /// Returns a name to the queue because there is no thread, and starts no more lookups for a while.
    mutating func postpone(_ name: NameQuery, at time: Duration) {
        guard let index = running.lastIndex(where: { $0.name == name }) else { return }
        running.remove(at: index)
        if runningSlow.remove(name) != nil { slowWaiting = [name] + slowWaiting } else { waiting = [name] + waiting }
        lowered = (running.count, time + Self.refusalPause)
    }

    /// Records the end of a lookup.
    mutating func end(_ name: NameQuery, at time: Duration) {
        guard let index = running.firstIndex(where: { $0.name == name }) else { return }
        runningSlow.remove(name)
        if running.remove(at: index).since + Self.slowThreshold > time { slow.remove(name) } else { slow.insert(name) }
    }

    /// Removes a name that no target needs.
    mutating func forget(_ name: NameQuery) {
        slow.remove(name)
    }
}
