extension Fetch {
    /// When a fetch waits until the host, or its proxy, accepts connections.
    ///
    /// The host is probed four times a second, in both address families, so that no try is spent on a host that is down.
    public enum Waiting: Sendable, Hashable {
        /// Never: a host that is down costs a try.
        case never
        /// After each pause, for this long; then the next try follows anyway.
        case betweenTries(atMost: Duration)
        /// Before the first try as well, so that a request that must not be sent twice is not spent on a host that is
        /// down; without a limit, for as long as it takes.
        case beforeEachTry(atMost: Duration?)

        /// Whether it waits after this many tries.
        func isDue(after tries: Int) -> Bool {
            switch self {
            case .never: false
            case .betweenTries: tries > 0
            case .beforeEachTry: true
            }
        }

        /// How long it waits at most.
        var limit: Duration? {
            switch self {
            case .never: .zero
            case .betweenTries(let limit): limit
            case .beforeEachTry(let limit): limit
            }
        }
    }
}
