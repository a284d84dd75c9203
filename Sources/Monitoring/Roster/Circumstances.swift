/// What is seldom to be said of a target: that it is paused, blocked, held back, flapping or cannot be asked, and what
/// belongs to its hooks and its held connection.
struct Circumstances: Sendable, Hashable {
    var fault: Fault?
    var faultCount = 0
    var faultsSince = Duration.zero
    var flapping: Flapping?
    var session: SessionState?
    var sessionSince: Duration?
    var toldSession: SessionState?
    var pausedSince: Duration?
    var armed: [ArmedHook] = []
    var blockedBy: Blocker?
    var blockedSince = Duration.zero
    var askedSince = Duration.zero
    var awaited: Set<DependencyGraph.Parent> = []
    var awaitedSince = Duration.zero
    var healthTold = Health.unknown
    var withheld: Transition?
    var hookBook = HookBook()

    /// The usual ones.
    static let none = Circumstances()
}
