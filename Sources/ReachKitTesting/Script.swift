import ReachKit
import ReachMonitoring
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
        /// The backends that are not shut down, by their numbers: one, and those that are about to shut down.
        var backends: [Int: Backend] = [:]
        var backendCount = 0
        /// The questions of the targets that were added last, and the time of that.
        var added: (time: Duration, questions: [Question]) = (.zero, [])
        /// How often targets were added so far.
        var subscriptionCount = 0
        var waiters: [Int: Waiter] = [:]
        var waiterCount = 0
        var probeCount = 0
        /// How often the script was changed.
        var version = 0
        /// The link at the time that the newest backend has reached.
        var link: Reachability.Link? = .wired
        /// The path at that time.
        var path: NetworkPath?

        /// What is called when the script has changed.
        var wakes: [@Sendable () -> Void] { backends.values.compactMap(\.wake) }

        func link(at time: Duration) -> Reachability.Link? { links.value(at: time) ?? .wired }

        func path(at time: Duration) -> NetworkPath { paths.value(at: time) ?? NetworkPath(by: link(at: time)) }

        /// Whether a target of a place, or any target, is probed, or was added at this time and has ended already.
        func isProbed(_ place: String?, at time: Duration) -> Bool {
            let questions = backends.values.lazy.flatMap(\.probed.values)
            return questions.contains { $0.isAt(place) }
                || added.time == time && added.questions.contains { $0.isAt(place) }
        }
    }

    /// What a backend probes.
    private struct Backend {
        var probed: [Target.ID: Question] = [:]
        /// Whether it has targets. The first subscriber of many makes them for some time.
        var hasStarted = false
        var wake: (@Sendable () -> Void)?
    }

    /// A task that waits until a target is probed.
    private struct Waiter {
        /// The place of the target; nil for any.
        let place: String?
        let waking: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())

    // MARK: The test's side

    func set(_ place: String, to answer: FakeNetwork.Answer, at time: Duration) {
        let wakes = state.withLock { state in
            state.answers[place, default: Track()].set(answer, at: time)
            state.version += 1
            return state.wakes
        }
        for wake in wakes { wake() }
    }

    func setLink(_ link: Reachability.Link?, at time: Duration) {
        let wakes = state.withLock { state in
            state.links.set(link, at: time)
            state.version += 1
            return state.wakes
        }
        for wake in wakes { wake() }
    }

    func setPath(_ path: NetworkPath, at time: Duration) {
        let wakes = state.withLock { state in
            state.paths.set(path, at: time)
            state.version += 1
            return state.wakes
        }
        for wake in wakes { wake() }
    }

    func path(at time: Duration) -> NetworkPath {
        state.withLock { $0.path(at: time) }
    }

    /// The link at the time that the simulation has reached.
    var link: Reachability.Link? { state.withLock { $0.link } }
    var probedURLs: [String] {
        let probed = state.withLock { $0.backends.values.flatMap(\.probed) }
        return probed.sorted { $0.key < $1.key }.map(\.value.url)
    }
    var probeCount: Int { state.withLock { $0.probeCount } }

    /// Waits until a target of a place, or any target, is probed, or the task is cancelled. A target that was added at
    /// this time counts, even if its subscriber has ended already.
    func untilProbed(_ place: String?, at time: Duration) async {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waking in
                let isDone = state.withLock { state in
                    if Task.isCancelled || state.isProbed(place, at: time) { return true }
                    state.waiters[number] = Waiter(place: place, waking: waking)
                    return false
                }
                if isDone { waking.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.waking.resume()
        }
    }

    /// Whether the network has a subscriber, whose targets it probes.
    var hasSubscriber: Bool { state.withLock { $0.backends.values.contains(where: \.hasStarted) } }

    /// A number that each request to probe targets increases.
    var subscriptionCount: Int { state.withLock { $0.subscriptionCount } }

    // MARK: The backend's side

    /// Adds a backend.
    ///
    /// - Returns: Its number.
    func addBackend() -> Int {
        state.withLock { state in
            state.backendCount += 1
            state.backends[state.backendCount] = Backend()
            return state.backendCount
        }
    }

    /// Sets what is called when the script has changed.
    func onChange(of number: Int, _ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.backends[number]?.wake = wake }
    }

    func removeBackend(_ number: Int) {
        state.withLock { _ = $0.backends.removeValue(forKey: number) }
    }

    /// Returns the answer to a probe.
    func answer(to question: Question, at time: Duration) -> FakeNetwork.Answer {
        state.withLock { state in
            guard state.link(at: time) != nil else {
                return .failure(question.isLocal ? .noRoute : .networkUnreachable)
            }
            if question.isLocal { return .reply() }
            return question.places.compactMap { state.answers[$0]?.value(at: time) }.first ?? .noReply
        }
    }

    /// How often the script was changed.
    var version: Int { state.withLock { $0.version } }

    /// Returns when the script changes next; nil if it does not.
    func nextChange(after time: Duration) -> Duration? {
        state.withLock { state in
            let others = [state.links.next(after: time), state.paths.next(after: time)]
            return (state.answers.values.map { $0.next(after: time) } + others).compactMap(\.self).min()
        }
    }

    /// Moves to a time.
    ///
    /// - Returns: The link there, and whether it or the path has changed since the last call.
    func moveLink(to time: Duration) -> (link: Reachability.Link?, hasChanged: Bool) {
        state.withLock { state in
            let (link, path) = (state.link(at: time), state.path(at: time))
            defer { (state.link, state.path) = (link, path) }
            return (link, link != state.link || path != state.path)
        }
    }

    func recordProbe() {
        state.withLock { $0.probeCount += 1 }
    }

    func recordWatched(_ assignments: [ProbeRequest.Assignment], of number: Int, at time: Duration) {
        let waiters = state.withLock { state -> [Waiter] in
            state.subscriptionCount += 1
            state.backends[number]?.hasStarted = true
            if state.added.time != time { state.added = (time, []) }
            for assignment in assignments {
                state.backends[number]?.probed[assignment.id] = assignment.target.question
                state.added.questions.append(assignment.target.question)
            }
            let done = state.waiters.filter { waiter in
                assignments.contains { $0.target.question.isAt(waiter.value.place) }
            }
            for number in done.keys { state.waiters[number] = nil }
            return Array(done.values)
        }
        guard !waiters.isEmpty else { return }
        // Not here: the caller has locked the subscription (``SharedSubscription``).
        Task { for waiter in waiters { waiter.waking.resume() } }
    }

    func recordForgotten(_ ids: [Target.ID], of number: Int) {
        state.withLock { state in
            for id in ids { state.backends[number]?.probed[id] = nil }
        }
    }
}

extension NetworkPath {
    /// The path of a machine with one link, or none.
    fileprivate init(by link: Reachability.Link?) {
        self.init(
            isExpensive: link == .cellular,
            isConstrained: false,
            supportsDNS: link != nil,
            supportsIPv4: link != nil,
            supportsIPv6: false,
            interfaces: link.map { [Interface(name: $0.interfaceName, link: $0)] } ?? []
        )
    }
}

extension Reachability.Link {
    /// The usual name of such an interface on Linux.
    fileprivate var interfaceName: String {
        switch self {
        case .wired: "eth0"
        case .wifi: "wlan0"
        case .cellular: "wwan0"
        case .vpn: "tun0"
        case .loopback: "lo"
        case .other: "net0"
        }
    }
}

extension Question {
    /// The keys of a script that its probes follow, the most specific one first: the URL, its authority, the service and
    /// the host. Names match without regard to case and a final dot.
    var places: [String] {
        let host = host ?? ""
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let texts = [url, authority].map { text in
            // A scheme has neither capitals nor a dot.
            name == host ? text : text.replacing(host, with: name, maxReplacements: 1)
        }
        let service = port.map { name.contains(":") ? "[\(name)]:\($0)" : "\(name):\($0)" }
        return texts + [service, name].compactMap(\.self)
    }

    /// Whether its probes follow the script of a place; with nil, they do.
    fileprivate func isAt(_ place: String?) -> Bool {
        place.map { places.contains($0) } ?? true
    }

    /// Whether it is about this machine: a link or a route.
    var isLocal: Bool { method == .link || method == .route }
}
