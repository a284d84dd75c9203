extension Fetch {
    /// When a fetch waits until the host, or the proxy before it, accepts a connection.
    ///
    /// It knocks four times a second, in both address families. So tries are spent on servers alone.
    public enum Waiting: Sendable, Hashable {
        /// Never: a host that is not there costs a try.
        case never
        /// After each pause, for so long; then the next try comes anyhow.
        case betweenTries(atMost: Duration)
        /// Before the first try, too, so that a request that must not be sent twice is not lost at a closed door; without
        /// a limit, for as long as it takes.
        case beforeEachTry(atMost: Duration?)

        /// Whether it waits when so many tries have been made.
        func isDue(after tries: Int) -> Bool {
            switch self {
            case .never: false
            case .betweenTries: tries > 0
            case .beforeEachTry: true
            }
        }

        /// How long it waits.
        var limit: Duration? {
            switch self {
            case .never: .zero
            case .betweenTries(let limit): limit
            case .beforeEachTry(let limit): limit
            }
        }
    }
}
