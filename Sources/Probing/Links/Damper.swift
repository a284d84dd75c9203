/// Makes one thing to do of many in a row: the first is not kept waiting, and the longer they go on, the seldomer it is
/// done. Nothing told is forgotten.
struct Damper: Sendable, Hashable {
    /// How long the first waits, for what belongs to it.
    private let delay: Duration
    /// The pause after one that came alone; it doubles while they go on.
    private let shortestPause: Duration
    private let longestPause: Duration
    private var pause: Duration
    private var last: Duration?
    /// When there is something to do.
    private(set) var due: Duration?

    init(delay: Duration = .zero, pause: ClosedRange<Duration>) {
        self.delay = delay
        shortestPause = pause.lowerBound
        longestPause = pause.upperBound
        self.pause = pause.lowerBound
    }

    /// Something has happened.
    mutating func ring(at time: Duration) {
        guard due == nil else { return }
        due = max(time + delay, last.map { $0 + pause } ?? .zero)
    }

    /// Whether it is to be done now; true once.
    mutating func take(at time: Duration) -> Bool {
        guard let due, due <= time else { return false }
        let isQuiet = last.map { time - $0 > longestPause } ?? true
        pause = isQuiet ? shortestPause : min(pause * 2, longestPause)
        last = time
        self.due = nil
        return true
    }
}
