/// What is known about a source: its last good list, and whether the last refresh failed.
package struct SourceState: Sendable, Hashable {
    /// What a refresh has changed.
    package struct Change: Sendable, Hashable {
        /// Whether the list is another one.
        package var hasNewList = false
        /// The problem, if there was none or another one before.
        package var newProblem: String?
        /// Whether the refresh before failed, and this one did not.
        package var hasRecovered = false

        /// Creates a change of nothing.
        package init(hasNewList: Bool = false) {
            self.hasNewList = hasNewList
        }
    }

    /// The pause after a first failure. It doubles with each further one.
    static let firstPause = Duration.seconds(5)
    /// The shortest pause: the time to live of a record may be zero.
    static let shortestPause = Duration.seconds(5)

    /// The last good list; nil before the first one.
    package private(set) var list: DiscoveryList?
    /// Why the last refresh failed; nil if it did not.
    package private(set) var problem: String?
    /// When the last good list was read, since the start of the program.
    package private(set) var lastSuccess: Duration?
    private var failures = 0

    /// Creates the state before the first refresh.
    package init() {}

    /// Records the result of a refresh.
    ///
    /// - Returns: What it has changed; nil if nothing.
    package mutating func record(_ result: Result<DiscoveryList, DiscoveryProblem>, at now: Duration) -> Change? {
        var change = Change()
        switch result {
        case .success(let new):
            change.hasNewList = list != new
            change.hasRecovered = problem != nil
            (list, problem, lastSuccess, failures) = (new, nil, now, 0)
        case .failure(let error):
            if problem != error.description { change.newProblem = error.description }
            problem = error.description
            failures = min(failures + 1, 30)
        }
        return change == Change() ? nil : change
    }

    /// The pause until the next refresh: after a failure five seconds, ten, twenty …, at most the interval.
    ///
    /// - Parameters:
    ///   - refresh: the interval of the source.
    ///   - lifetime: how long the list is valid, if its server says so; at least five seconds, at most the interval.
    package func pause(refresh: Duration, lifetime: Duration? = nil) -> Duration {
        guard failures == 0 else {
            return min(refresh, Self.firstPause * (1 << (failures - 1)))
        }
        guard let lifetime else { return refresh }
        return min(refresh, max(lifetime, Self.shortestPause))
    }

    /// The problem with what follows from it, as part of a sentence; nil without a problem.
    package var problemSummary: String? {
        problem.map { "\($0); \(consequence)" }
    }

    private var consequence: String {
        switch list?.targets.count {
        case nil: "it has no targets yet"
        case 0: "it stays without targets"
        case 1: "its target stays"
        case let count?: "its \(count) targets stay"
        }
    }
}
