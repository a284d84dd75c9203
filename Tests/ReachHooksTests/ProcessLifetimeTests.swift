import ReachMonitoring
import TestSupport
import Testing

@testable import ReachHooks

private typealias Action = ProcessLifetime.Action
private typealias Event = ProcessLifetime.Event
private typealias State = ProcessLifetime.State

/// The state machine of a child process, without a process.
@Suite struct ProcessLifetimeTests {
    private static let timeout = Duration.milliseconds(900)
    private static let grace = Duration.milliseconds(500)

    /// Returns a state machine after these events, at second 10.
    private func lifetime(_ events: [Event]) -> ProcessLifetime {
        var lifetime = ProcessLifetime(timeout: Self.timeout, grace: Self.grace)
        for event in events { _ = lifetime.handle(event, at: .seconds(10)) }
        return lifetime
    }

    /// The events that lead to each state, including those in which members outlive their leader.
    private static let setups: [String: [Event]] = [
        "starting": [],
        "cancelled": [.cancel(grace: .milliseconds(300))],
        "killed": [.kill],
        "running": [.started],
        "terminating": [.started, .cancel(grace: .milliseconds(300))],
        "orphaned": [.started, .cancel(grace: .milliseconds(300)), .leaderEnded, .members(areRunning: true)],
        "killing": [.started, .kill],
        "sweeping": [.started, .kill, .leaderEnded, .members(areRunning: true)],
        "ended": [.started, .leaderEnded],
    ]

    private static let events: [Event] = [
        .started, .notStarted, .leaderEnded, .members(areRunning: true), .members(areRunning: false), .woken,
        .cancel(grace: .milliseconds(100)), .kill,
    ]

    /// The expected state and actions for each event in each state, 50 ms after the state began, in the order of
    /// `events`.
    private static let transitions: [String: [(State, [Action])]] = [
        "starting": [
            (.running, [.wake(after: timeout)]), (.ended, [.reap]), (.starting, []), (.starting, []), (.starting, []),
            (.starting, []), (.starting, [.wake(after: .milliseconds(100))]), (.starting, []),
        ],
        "cancelled": [
            (.terminating, [.terminate]), (.ended, [.reap]), (.starting, []), (.starting, []), (.starting, []),
            (.starting, [.wake(after: .milliseconds(250))]), (.starting, [.wake(after: .milliseconds(100))]),
            (.starting, []),
        ],
        "killed": [
            (.killing, [.kill]), (.ended, [.reap]), (.starting, []), (.starting, []), (.starting, []),
            (.starting, []), (.starting, []), (.starting, []),
        ],
        "running": [
            (.running, []), (.running, []), (.ended, [.reap]), (.running, []), (.running, []),
            (.running, [.wake(after: .milliseconds(850))]),
            (.terminating, [.terminate, .wake(after: .milliseconds(100))]), (.killing, [.kill]),
        ],
        "terminating": [
            (.terminating, []), (.terminating, []), (.terminating, [.checkMembers]), (.terminating, []),
            (.terminating, []), (.terminating, [.wake(after: .milliseconds(250))]),
            (.terminating, [.wake(after: .milliseconds(100))]), (.killing, [.kill]),
        ],
        "orphaned": [
            (.terminating, []), (.terminating, []), (.terminating, []),
            (.terminating, [.wake(after: .milliseconds(20))]), (.ended, [.kill, .reap]),
            (.terminating, [.checkMembers]), (.terminating, [.wake(after: .milliseconds(20))]),
            (.killing, [.kill, .checkMembers]),
        ],
        "killing": [
            (.killing, []), (.killing, []), (.killing, [.checkMembers]), (.killing, []), (.killing, []),
            (.killing, []), (.killing, []), (.killing, [.kill]),
        ],
        "sweeping": [
            (.killing, []), (.killing, []), (.killing, []), (.killing, [.wake(after: .milliseconds(20))]),
            (.ended, [.kill, .reap]), (.killing, [.checkMembers]), (.killing, []), (.killing, [.kill]),
        ],
        "ended": Array(repeating: (.ended, []), count: 8),
    ]

    @Test(arguments: setups.keys.sorted()) func `every event has its effect in every state`(setup: String) throws {
        let expected = try #require(Self.transitions[setup])
        let events = try #require(Self.setups[setup])
        for (event, (state, actions)) in zip(Self.events, expected) {
            var lifetime = lifetime(events)
            #expect(lifetime.handle(event, at: .milliseconds(10_050)) == actions, "\(setup), \(event)")
            #expect(lifetime.state == state, "\(setup), \(event)")
        }
    }

    @Test func `a process that times out gets SIGTERM, and SIGKILL after the grace period`() {
        var lifetime = lifetime([.started])
        #expect(lifetime.handle(.woken, at: .milliseconds(10_900)) == [.terminate, .wake(after: Self.grace)])
        #expect(lifetime.cause == .timedOut)
        #expect(lifetime.handle(.woken, at: .milliseconds(11_400)) == [.kill])
        #expect(lifetime.handle(.leaderEnded, at: .milliseconds(11_401)) == [.checkMembers])
        #expect(lifetime.handle(.members(areRunning: false), at: .milliseconds(11_401)) == [.kill, .reap])
        #expect(lifetime.state == .ended)
        #expect(lifetime.cause == .timedOut)
    }

    @Test func `with endsGroup, what a process leaves behind gets SIGTERM, and SIGKILL after the grace period`() {
        var lifetime = ProcessLifetime(timeout: Self.timeout, grace: Self.grace, endsGroup: true)
        _ = lifetime.handle(.started, at: .seconds(10))
        #expect(lifetime.handle(.leaderEnded, at: .seconds(10)) == [.terminate, .checkMembers])
        var now = Duration.seconds(10)
        var actions: [Action] = [.checkMembers]
        while actions == [.checkMembers], now < .seconds(20) {
            guard case .wake(let delay)? = lifetime.handle(.members(areRunning: true), at: now).first else { break }
            now += delay
            actions = lifetime.handle(.woken, at: now)
        }
        #expect(actions == [.kill, .checkMembers] && now == .seconds(10) + Self.grace)
        #expect(lifetime.handle(.members(areRunning: false), at: now) == [.kill, .reap])
        #expect(lifetime.state == .ended && lifetime.cause == nil)
    }

    @Test func `events after the end of a process are ignored`() {
        var lifetime = lifetime([.started, .leaderEnded])
        #expect(lifetime.handle(.woken, at: .seconds(60)) == [])
        #expect(lifetime.handle(.cancel(grace: .zero), at: .seconds(60)) == [])
        #expect(lifetime.cause == nil)
    }

    @Test func `the first cause is kept`() {
        var lifetime = lifetime([.started])
        _ = lifetime.handle(.woken, at: .milliseconds(10_900))
        _ = lifetime.handle(.cancel(grace: .zero), at: .milliseconds(10_950))
        _ = lifetime.handle(.kill, at: .milliseconds(10_950))
        #expect(lifetime.cause == .timedOut)
    }

    @Test func `of two grace periods, the one that ends first counts`() {
        for (later, remaining) in [(100, 100), (10_000, 450)] {
            var lifetime = lifetime([.started, .cancel(grace: Self.grace)])
            let actions = lifetime.handle(.cancel(grace: .milliseconds(later)), at: .milliseconds(10_050))
            #expect(actions == [.wake(after: .milliseconds(remaining))])
        }
    }

    @Test func `a grace period that ends before the start leads to SIGKILL at the start`() {
        var lifetime = lifetime([.cancel(grace: Self.grace)])
        #expect(lifetime.handle(.woken, at: .milliseconds(10_500)) == [])
        #expect(lifetime.handle(.started, at: .milliseconds(10_600)) == [.kill])
        #expect(lifetime.state == .killing)
    }

    @Test func `a process that could not be started has no cause`() {
        #expect(lifetime([.cancel(grace: Self.grace), .notStarted]).cause == nil)
    }

    @Test func `members are checked with growing delays, until a timeout`() {
        var lifetime = lifetime([.started, .kill])
        var now = Duration.seconds(20)
        var actions = lifetime.handle(.leaderEnded, at: now)
        var delays: [Duration] = []
        while actions == [.checkMembers] {
            actions = lifetime.handle(.members(areRunning: true), at: now)
            guard case .wake(let delay) = actions.first else { break }
            delays.append(delay)
            now += delay
            actions = lifetime.handle(.woken, at: now)
        }
        #expect(Array(delays.prefix(5)) == [10, 20, 40, 80, 100].map { Duration.milliseconds($0) })
        #expect(delays.dropFirst(4).dropLast().allSatisfy { $0 == .milliseconds(100) })
        #expect(delays.reduce(.zero, +) == ProcessLifetime.killTimeout)
        #expect(actions == [.kill, .reap])
    }

    @Test func `time in which this process was stopped does not count`() {
        var lifetime = lifetime([.started])
        #expect(lifetime.handle(.woken, at: .seconds(60)) == [.wake(after: Self.timeout)])
        _ = lifetime.handle(.woken, at: .milliseconds(60_900))
        #expect(lifetime.state == .terminating)
        #expect(lifetime.handle(.woken, at: .seconds(600)) == [.wake(after: Self.grace)])
        #expect(lifetime.state == .terminating)
    }

    /// Checks invariants over random sequences of events.
    @Test(arguments: 1...2_000) func `random events never violate the invariants`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var lifetime = ProcessLifetime(
            timeout: Bool.random(using: &generator) ? Self.timeout : nil,
            grace: .milliseconds(Int.random(in: 0...800, using: &generator))
        )
        var now = Duration.seconds(1)
        var signals: [Action] = []
        for _ in 1...40 {
            now += .milliseconds(Int.random(in: 0...400, using: &generator))
            let (before, wasCaused) = (lifetime.state, lifetime.cause != nil)
            guard let event = Self.events.randomElement(using: &generator) else { return }
            let actions = lifetime.handle(event, at: now)
            signals += actions.filter { $0 == .terminate || $0 == .kill }
            if before == .ended { #expect(actions == [] && lifetime.state == .ended) }
            if actions.contains(.terminate) || actions.contains(.kill) {
                #expect(before != .starting || event == .started, "a signal without a process")
                #expect(lifetime.cause != nil, "a signal without a cause")
            }
            if before == .running, lifetime.state == .killing { #expect(event == .kill) }
            if lifetime.state == .ended, before != .ended { #expect(actions.last == .reap) }
            if lifetime.state != .ended || before == .ended { #expect(!actions.contains(.reap)) }
            if wasCaused, event != .notStarted { #expect(lifetime.cause != nil) }
        }
        #expect(signals.count { $0 == .terminate } <= 1, "SIGTERM is sent more than once")
        if let kill = signals.firstIndex(of: .kill) { #expect(!signals[kill...].contains(.terminate)) }
    }

    /// Simulates the caller: each `wake` and `checkMembers` gets its event, and the process ends by a signal that it
    /// does not ignore, or by SIGKILL.
    @Test(arguments: 1...500) func `every process that is cancelled or has a timeout ends`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        let hasTimeout = Bool.random(using: &generator)
        let (ignoresTerm, leavesMembers) = (Bool.random(using: &generator), Bool.random(using: &generator))
        var lifetime = ProcessLifetime(timeout: hasTimeout ? Self.timeout : nil, grace: Self.grace)
        var now = Duration.zero
        var wake: Duration?
        var areMembersRunning = leavesMembers
        var pending: [Event] =
            Bool.random(using: &generator)
            ? [.started, .cancel(grace: .seconds(1))] : [.cancel(grace: .seconds(1)), .started]
        if hasTimeout { pending = [.started] }
        for _ in 1...100 where lifetime.state != .ended {
            if pending.isEmpty, let time = wake {
                now = max(now, time)
                wake = nil
                pending = [.woken]
            }
            guard !pending.isEmpty else { break }
            for action in lifetime.handle(pending.removeFirst(), at: now) {
                switch action {
                case .terminate: if !ignoresTerm { pending.append(.leaderEnded) }
                case .kill:
                    areMembersRunning = false
                    pending.append(.leaderEnded)
                case .checkMembers: pending.append(.members(areRunning: areMembersRunning))
                case .wake(let delay): wake = now + delay
                case .reap: break
                }
            }
        }
        #expect(lifetime.state == .ended)
        #expect(now <= .seconds(3))
    }
}

/// A delay that counts only time in which this process was running.
@Suite struct CountdownTests {
    /// Runs one slice that takes `elapsed` instead of its planned length.
    private func wait(_ elapsed: Duration, for countdown: inout Countdown) {
        _ = countdown.nextSlice(at: .seconds(100))
        countdown.advance(to: .seconds(100) + elapsed)
    }

    @Test func `slices are at most a second, and their lateness does not add up`() {
        var countdown = Countdown(.milliseconds(2_500))
        var slices: [Duration] = []
        var now = Duration.seconds(7)
        while countdown.remaining > .zero {
            let slice = countdown.nextSlice(at: now)
            slices.append(slice)
            now += slice + .milliseconds(3)
            countdown.advance(to: now)
        }
        #expect(slices == [.seconds(1), .seconds(1), .milliseconds(494)])
    }

    @Test func `a slice in which the process was stopped does not count`() {
        var countdown = Countdown(.seconds(1))
        wait(.seconds(60), for: &countdown)
        #expect(countdown.remaining == .seconds(1))
        wait(.milliseconds(1_500), for: &countdown)
        #expect(countdown.remaining == .zero)
    }

    @Test func `a slice that is late within the tolerance counts`() {
        var countdown = Countdown(.seconds(1))
        wait(Countdown.slice + Countdown.tolerance, for: &countdown)
        #expect(countdown.remaining == .zero)
    }

    @Test func `a second stop does not count if the process ran in between`() {
        var countdown = Countdown(.seconds(2))
        for elapsed in [60, 1, 60] { wait(.seconds(elapsed), for: &countdown) }
        #expect(countdown.remaining == .seconds(1))
        wait(.seconds(1), for: &countdown)
        #expect(countdown.remaining == .zero)
    }

    @Test func `the delay ends even if every slice takes too long`() {
        var countdown = Countdown(.seconds(2))
        for _ in 1...3 {
            #expect(countdown.remaining > .zero)
            wait(.seconds(9), for: &countdown)
        }
        #expect(countdown.remaining == .zero)
    }

    @Test func `a zero delay ends at once`() {
        var countdown = Countdown(.zero)
        #expect(countdown.remaining == .zero)
        #expect(countdown.nextSlice(at: .seconds(1)) == .zero)
    }

    @Test func `a slice that ends early counts in part`() {
        var countdown = Countdown(.seconds(1))
        wait(.milliseconds(300), for: &countdown)
        #expect(countdown.remaining == .milliseconds(700))
    }
}
