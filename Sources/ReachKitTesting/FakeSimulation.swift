import ReachKit
import ReachMonitoring

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
    /// The number of its backend in the script.
    private let number: Int
    private var schedule = Schedule()
    private var probed: [Target.ID: Probed] = [:]
    /// The ends of the probes in flight, in order.
    private var endings: [ProbeEnd] = []
    /// The time up to which everything has happened.
    private var time: Duration
    private var findings: [Finding] = []
    /// The version of the script that was followed last.
    private var version: Int

    /// - Parameter number: The number of its backend in the script.
    init(of script: Script, number: Int, at now: Duration) {
        self.script = script
        self.number = number
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
            script.recordWatched(assignments, of: number, at: now)
        case .forget(let ids):
            script.recordForgotten(ids, of: number)
            schedule.remove(ids)
            for id in ids { probed[id] = nil }
            endings.removeAll { ids.contains($0.id) }
        case .now(let ids):
            schedule.probeNow(ids, at: now)
        case .pace(let id, let interval, _):
            // Requested for a finding of this time, while the clock may be far ahead.
            schedule.pace(id, interval: interval, at: time)
        }
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
