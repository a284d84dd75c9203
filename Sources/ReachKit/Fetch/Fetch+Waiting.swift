#if Fetch
extension Fetch {
    /// When a fetch waits until the host, or its proxy, accepts connections.
    ///
    /// The host is probed four times a second, in both address families, so that no try is used up by a host that is
    /// down.
    public enum Waiting: Sendable, Hashable, Codable {
        /// Never: a host that is down uses up a try.
        case never
        /// After each pause, for at most this long; then the next try follows in any case.
        case betweenTries(atMost: Duration)
        /// Before the first try as well, for a request that must not be sent twice; nil waits without a limit.
        case beforeEachTry(atMost: Duration?)

        /// Whether it waits after this many tries.
        func isDue(after tries: Int) -> Bool {
            switch self {
            case .never: false
            case .betweenTries: tries > 0
            case .beforeEachTry: true
            }
        }

        /// The longest wait; nil without a limit.
        var limit: Duration? {
            switch self {
            case .never: .zero
            case .betweenTries(let limit): limit
            case .beforeEachTry(let limit): limit
            }
        }
    }
}
#endif
