/// Which names are looked up when: a few at a time, but not counting those that their servers keep waiting, so that a
/// name that resolves does not wait behind many that do not. It says what to do; somebody else looks up.
struct LookupQueue: Sendable {
    /// How many names are looked up at the same time.
    let places: Int
    /// How long a lookup may take before it leaves its place to the next one, and goes on beside it. Who answers at all
    /// has mostly answered by then; who does not takes ten seconds and more (resolv.conf(5): twice five).
    static let patience = Duration.milliseconds(100)

    /// How many lookups are under way at the most, whatever they wait for. Each takes a thread.
    let most: Int
    /// What waits for a place, in order.
    private var waiting: ArraySlice<NameQuery> = []
    /// What waits behind that: names that left their place the last time.
    private var slowWaiting: ArraySlice<NameQuery> = []
    /// What is under way and since when, the oldest first.
    private var running: [(name: NameQuery, since: Duration)] = []
    private var slow: Set<NameQuery> = []

    init(places: Int, most: Int) {
        self.places = places
        self.most = most
    }

    /// When ``start(at:)`` has something to do for the time that has passed alone; nil while nothing can be done.
    var nextDeadline: Duration? {
        guard !(waiting.isEmpty && slowWaiting.isEmpty), running.count < most, running.count >= places else {
            return nil
        }
        // All that count have begun later than this one.
        return running[running.count - places].since + Self.patience
    }

    /// Puts a name in the queue.
    mutating func add(_ name: NameQuery) {
        if slow.contains(name) { slowWaiting.append(name) } else { waiting.append(name) }
    }

    /// The names to look up now.
    mutating func start(at time: Duration) -> [NameQuery] {
        let counting = running.reversed().prefix { $0.since + Self.patience > time }.count
        let free = min(places - counting, most - running.count)
        var started: [NameQuery] = []
        while started.count < free, let name = waiting.popFirst() ?? slowWaiting.popFirst() {
            started.append(name)
            running.append((name, time))
        }
        return started
    }

    /// Takes the end of a lookup into account.
    mutating func end(_ name: NameQuery, at time: Duration) {
        guard let index = running.firstIndex(where: { $0.name == name }) else { return }
        if running.remove(at: index).since + Self.patience > time { slow.remove(name) } else { slow.insert(name) }
    }

    /// Nobody asks for this name any more.
    mutating func forget(_ name: NameQuery) {
        slow.remove(name)
    }
}
