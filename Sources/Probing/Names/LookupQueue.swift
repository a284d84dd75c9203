/// Which names are looked up when: a few at a time, but not counting those that their servers keep waiting, so that a
/// name that resolves does not wait behind many that do not. It says what to do; somebody else looks up.
struct LookupQueue: Sendable {
    /// How many names are looked up at the same time.
    let places: Int
    /// How long a lookup may take before it leaves its place to the next one, and goes on beside it.
    static let patience = Duration.milliseconds(10)
    /// How long a lookup takes whose server does not answer, at least: a second or more (resolv.conf(5): twice five).
    static let slowness = Duration.seconds(1)
    /// How long nothing more is started beside what runs, once the system has refused a thread.
    static let refusal = Duration.seconds(1)

    /// How many lookups are under way at the most, whatever they wait for. Each takes a thread.
    let most: Int
    /// The limit after the system has refused a thread, and until when it holds.
    private var lowered: (most: Int, until: Duration)?
    /// What waits for a place, in order.
    private var waiting: ArraySlice<NameQuery> = []
    /// What waits behind that: names that left their place the last time.
    private var slowWaiting: ArraySlice<NameQuery> = []
    /// What is under way and since when, the oldest first.
    private var running: [(name: NameQuery, since: Duration)] = []
    private var slow: Set<NameQuery> = []
    /// What is under way and was slow the last time.
    private var runningSlow: Set<NameQuery> = []

    init(places: Int, most: Int) {
        self.places = places
        self.most = most
    }

    /// When ``start(at:)`` has something to do for the time that has passed alone; nil while nothing can be done.
    var nextDeadline: Duration? {
        guard !waiting.isEmpty || !slowWaiting.isEmpty && runningSlow.count < most / 2 else { return nil }
        if let lowered, running.count >= lowered.most { return lowered.until }
        guard running.count < most, running.count >= places else { return nil }
        // All that count have begun later than this one.
        return running[running.count - places].since + Self.patience
    }

    /// Puts a name in the queue.
    mutating func add(_ name: NameQuery) {
        if slow.contains(name) { slowWaiting.append(name) } else { waiting.append(name) }
    }

    /// The names to look up now. Those that were slow the last time leave half of the threads to the others.
    mutating func start(at time: Duration) -> [NameQuery] {
        if let lowered, lowered.until <= time { self.lowered = nil }
        let counting = running.reversed().prefix { $0.since + Self.patience > time }.count
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

    /// Whether this is the only lookup under way.
    func isAlone(_ name: NameQuery) -> Bool {
        running.count == 1 && running[0].name == name
    }

    /// Puts a name back for which there is no thread, and starts no more for a while.
    mutating func postpone(_ name: NameQuery, at time: Duration) {
        guard let index = running.lastIndex(where: { $0.name == name }) else { return }
        running.remove(at: index)
        if runningSlow.remove(name) != nil { slowWaiting = [name] + slowWaiting } else { waiting = [name] + waiting }
        lowered = (running.count, time + Self.refusal)
    }

    /// Takes the end of a lookup into account.
    mutating func end(_ name: NameQuery, at time: Duration) {
        guard let index = running.firstIndex(where: { $0.name == name }) else { return }
        runningSlow.remove(name)
        if running.remove(at: index).since + Self.slowness > time { slow.remove(name) } else { slow.insert(name) }
    }

    /// Nobody asks for this name any more.
    mutating func forget(_ name: NameQuery) {
        slow.remove(name)
    }
}
