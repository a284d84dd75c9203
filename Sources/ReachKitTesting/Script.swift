import Monitoring
import ReachKit
import Synchronization

/// The script of a fake network: the answers of hosts, and the link, over time.
final class Script: Sendable {
    /// The values of one thing over time, in order.
    private struct Track<Value: Sendable>: Sendable {
        private var changes: [(time: Duration, value: Value)] = []

        mutating func set(_ value: Value, at time: Duration) {
            // A later call wins where the times are equal.
            let index = changes.firstIndex { $0.time > time } ?? changes.endIndex
            changes.insert((time, value), at: index)
        }

        func value(at time: Duration) -> Value? {
            changes.last { $0.time <= time }?.value
        }

        /// The time of the first change after a time; nil if there is none.
        func next(after time: Duration) -> Duration? {
            changes.first { $0.time > time }?.time
        }
    }

    private struct State {
        var answers: [String: Track<FakeNetwork.Answer>] = [:]
        var links = Track<Reachability.Link?>()
        var paths = Track<NetworkPath>()
        var probed: [Target.ID: String] = [:]
        var probeCount = 0
        /// How often the script was changed.
        var version = 0
        /// The link at the time that the newest backend has reached.
        var link: Reachability.Link? = .wired
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    // MARK: The test's side

    func set(_ place: String, to answer: FakeNetwork.Answer, at time: Duration) {
        let wake = state.withLock { state in
            state.answers[place, default: Track()].set(answer, at: time)
            state.version += 1
            return state.wake
        }
        wake?()
    }

    func setLink(_ link: Reachability.Link?, at time: Duration) {
        let wake = state.withLock { state in
            state.links.set(link, at: time)
            state.version += 1
            return state.wake
        }
        wake?()
    }

    func setPath(_ path: NetworkPath, at time: Duration) {
        state.withLock { $0.paths.set(path, at: time) }
    }

    func path(at time: Duration) -> NetworkPath {
        state.withLock { $0.paths.value(at: time) } ?? NetworkPath(supportsDNS: true)
    }

    /// The link at the time that the simulation has reached.
    var link: Reachability.Link? { state.withLock { $0.link } }
    var probedURLs: [String] { state.withLock { $0.probed.sorted { $0.key < $1.key }.map(\.value) } }
    var probeCount: Int { state.withLock { $0.probeCount } }

    // MARK: The backend's side

    /// Sets what is called when the script has changed.
    func onChange(_ wake: (@Sendable () -> Void)?) {
        state.withLock { $0.wake = wake }
    }

    /// Returns the answer to a probe.
    func answer(to question: Question, at time: Duration) -> FakeNetwork.Answer {
        state.withLock { state in
            guard (state.links.value(at: time) ?? .wired) != nil else {
                return .failure(question.isLocal ? .noRoute : .networkUnreachable)
            }
            if question.isLocal { return .reply() }
            let places = [question.url, question.authority, question.host ?? ""]
            return places.compactMap { state.answers[$0]?.value(at: time) }.first ?? .noReply
        }
    }

    /// How often the script was changed.
    var version: Int { state.withLock { $0.version } }

    /// Returns when the script changes next; nil if it does not.
    func nextChange(after time: Duration) -> Duration? {
        state.withLock { state in
            (state.answers.values.map { $0.next(after: time) } + [state.links.next(after: time)]).compactMap(\.self)
                .min()
        }
    }

    /// Moves to a time.
    ///
    /// - Returns: The link there, and whether it has changed since the last call.
    func moveLink(to time: Duration) -> (link: Reachability.Link?, hasChanged: Bool) {
        state.withLock { state in
            let link = state.links.value(at: time) ?? .wired
            defer { state.link = link }
            return (link, link != state.link)
        }
    }

    func recordProbe() {
        state.withLock { $0.probeCount += 1 }
    }

    func recordProbed(_ targets: [Target.ID: String]) {
        state.withLock { $0.probed = targets }
    }
}

extension Question {
    /// Whether it is about this machine: a link or a route.
    var isLocal: Bool { method == .link || method == .route }
}
