import ReachKit
import ReachMonitoring
import Synchronization

/// The probes of a fake network in simulated time. A pure state machine, apart from the script, which tests change.
struct FakeSimulation: Sendable {
    private struct Probed {
        var target: Target
        var sequence = 0
        var isInFlight = false
        /// Whether a probe was due while another one was in flight.
        var isDeferred = false
        var session = SessionState.setup
    }

    /// The end of a probe in flight.
    fileprivate struct ProbeEnd {
        let time: Duration
        let id: Target.ID
        let sent: Duration
        let outcome: Outcome
    }

    private let script: Script
    private var schedule = Schedule()
    private var probed: [Target.ID: Probed] = [:]
    /// The ends of the probes in flight, in order.
    private var endings: [ProbeEnd] = []
    /// The time up to which everything has happened.
    private var time: Duration
    private var findings: [Finding] = []
    /// The version of the script that was followed last.
    private var version: Int

    init(of script: Script, at now: Duration) {
        self.script = script
        time = now
        version = script.version
        _ = script.moveLink(to: now)
    }

    /// When something happens next.
    var next: Duration? {
        [schedule.next, endings.first?.time, script.nextChange(after: time)].compactMap(\.self).min()
    }

    mutating func perform(_ request: ProbeRequest, at now: Duration) {
        switch request {
        case .watch(let assignments):
            for assignment in assignments {
                probed[assignment.id, default: Probed(target: assignment.target)].target = assignment.target
            }
            let entries = assignments.map { Schedule.Entry(id: $0.id, interval: $0.target.interval) }
            schedule.add(entries, at: now)
        case .forget(let ids):
            schedule.remove(ids)
            for id in ids { probed[id] = nil }
            endings.removeAll { ids.contains($0.id) }
        case .now(let ids):
            schedule.probeNow(ids, at: now)
        case .pace(let id, let interval, _):
            // Requested for a finding of this time, while the clock may be far ahead.
            schedule.pace(id, interval: interval, at: time)
        }
        script.recordProbed(probed.mapValues(\.target.question.url))
    }

    /// Advances to the next moment with findings, at most to a time.
    ///
    /// - Returns: The findings of that moment; empty if there were none until the given time.
    mutating func advance(to now: Duration) -> [Finding] {
        if script.version != version {
            // The change may be about the present moment.
            version = script.version
            followScript()
        }
        while findings.isEmpty, let next, next <= now {
            let hasScriptChange = script.nextChange(after: time) == next
            time = max(time, next)
            if hasScriptChange { followScript() }
            while let ending = endings.first, ending.time <= time {
                endings.removeFirst()
                end(ending)
            }
            for id in schedule.due(at: time) { probe(id) }
        }
        defer { findings = [] }
        return findings
    }

    /// Notices a change of the script: links and the ends of connections are events, and need no probe.
    private mutating func followScript() {
        let (link, hasChanged) = script.moveLink(to: time)
        if hasChanged { findings.append(.link(isUp: link != nil, at: time)) }
        let watching = probed.filter { $0.value.target.question.isLocal || $0.value.target.question.method == .session }
        schedule.probeNow(watching.keys.sorted(), at: time)
    }

    private mutating func probe(_ id: Target.ID) {
        guard var state = probed[id] else { return }
        guard !state.isInFlight else {
            probed[id]?.isDeferred = true
            return
        }
        state.isInFlight = true
        state.sequence += 1
        script.recordProbe()
        let target = state.target
        if target.question.method == .session, state.session != .ready {
            report(.preparing, of: id, in: &state)
        }
        probed[id] = state
        let (delay, outcome): (Duration, Outcome) =
            switch script.answer(to: target.question, at: time) {
            case .reply(let roundTrip) where roundTrip <= target.timeout:
                (roundTrip, .reply(Reply(roundTrip: target.question.isLocal ? nil : roundTrip)))
            case .reply, .noReply: (target.timeout, .timeout)
            case .failure(let reason): (.zero, .failure(Failure(reason)))
            case .fault(let fault): (.zero, .fault(fault))
            }
        let ending = ProbeEnd(time: time + delay, id: id, sent: time, outcome: outcome)
        guard delay > .zero else { return end(ending) }
        endings.insert(ending, at: endings.firstIndex { $0.time > ending.time } ?? endings.endIndex)
    }

    private mutating func end(_ ending: ProbeEnd) {
        guard var state = probed[ending.id] else { return }
        state.isInFlight = false
        if state.isDeferred { schedule.probeNow([ending.id], at: time) }
        state.isDeferred = false
        if state.target.question.method == .session { report(ending.sessionState, of: ending.id, in: &state) }
        findings.append(
            .observation(
                Observation(
                    target: ending.id,
                    sequence: state.sequence,
                    sent: ending.sent,
                    time: time,
                    outcome: ending.outcome,
                    address: Self.address(of: state.target)
                )
            )
        )
        probed[ending.id] = state
    }

    private mutating func report(_ session: SessionState, of id: Target.ID, in state: inout Probed) {
        guard state.session != session else { return }
        state.session = session
        let address = session == .ready ? Self.address(of: state.target) : nil
        findings.append(.session(id, session, address: address, at: time))
    }

    /// The numeric address of a target: its host, if that is one.
    private static func address(of target: Target) -> String? {
        guard let host = target.question.host else { return nil }
        return host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." } ? host : "192.0.2.1"
    }
}

extension FakeSimulation.ProbeEnd {
    /// The state of a session after its probe.
    fileprivate var sessionState: SessionState {
        switch outcome {
        case .reply: .ready
        case .failure(let failure) where failure.reason == .networkUnreachable: .waiting(failure)
        case .timeout, .failure, .fault: .failed(outcome)
        }
    }
}

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
        /// The path at that time.
        var path: NetworkPath?
        var wake: (@Sendable () -> Void)?

        func link(at time: Duration) -> Reachability.Link? { links.value(at: time) ?? .wired }

        func path(at time: Duration) -> NetworkPath { paths.value(at: time) ?? NetworkPath(by: link(at: time)) }
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
        let wake = state.withLock { state in
            state.paths.set(path, at: time)
            state.version += 1
            return state.wake
        }
        wake?()
    }

    func path(at time: Duration) -> NetworkPath {
        state.withLock { $0.path(at: time) }
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

    func recordProbed(_ targets: [Target.ID: String]) {
        state.withLock { $0.probed = targets }
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
    /// The keys of a script that its probes follow, the most specific one first.
    fileprivate var places: [String] {
        let host = host ?? ""
        let service = port.map { host.contains(":") ? "[\(host)]:\($0)" : "\(host):\($0)" }
        return [url, authority, service, host].compactMap(\.self)
    }

    /// Whether it is about this machine: a link or a route.
    var isLocal: Bool { method == .link || method == .route }
}
