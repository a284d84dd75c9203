/// Debounces a series of notifications: the first passes at once, later ones with growing pauses; none is lost.
struct Debounce: Sendable, Hashable {
    /// The delay of the first notification, to collect those that belong to it.
    private let delay: Duration
    /// The pause after a single notification; it doubles while they continue.
    private let shortestPause: Duration
    private let longestPause: Duration
    private var pause: Duration
    private var last: Duration?
    /// When the pending notification passes; nil if there is none.
    private(set) var due: Duration?

    init(delay: Duration = .zero, pause: ClosedRange<Duration>) {
        self.delay = delay
        shortestPause = pause.lowerBound
        longestPause = pause.upperBound
        self.pause = pause.lowerBound
    }

    /// Records a notification.
    mutating func notify(at time: Duration) {
        guard due == nil else { return }
        due = max(time + delay, last.map { $0 + pause } ?? .zero)
    }

    /// Whether a notification passes now. Returns true once for each.
    mutating func fire(at time: Duration) -> Bool {
        guard let due, due <= time else { return false }
        let isQuiet = last.map { time - $0 > longestPause } ?? true
        pause = isQuiet ? shortestPause : min(pause * 2, longestPause)
        last = time
        self.due = nil
        return true
    }
}
