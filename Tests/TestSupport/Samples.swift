// The generator with a seed, so that a failure can be reproduced.

@_exported public import ReachBasics
package import ReachMonitoring
public import Testing

/// A type with a sample of each of its cases. An enumeration with associated values cannot be `CaseIterable`; its samples
/// are a chain that a `switch` makes, so that the compiler reports a new case.
package protocol Sampled {
    /// A sample of the first case.
    static var firstSample: Self { get }
    /// A sample of the case after this one; nil after the last.
    var nextSample: Self? { get }
}

extension Sampled {
    /// A sample of each case.
    package static var samples: [Self] {
        Array(sequence(first: firstSample, next: \.nextSample))
    }
}

extension Outcome: Sampled {
    package static var firstSample: Outcome {
        let phases = Phase.allCases.map { Reply.PhaseTime($0, .milliseconds(1)) }
        return .reply(Reply(roundTrip: .milliseconds(3), phases: phases, detail: "A 192.0.2.1"))
    }

    package var nextSample: Outcome? {
        switch self {
        case .reply: .timeout
        case .timeout: .failure(Failure(.refused))
        case .failure: .fault(Fault(.permission, detail: "no", cures: ["sudo a"]))
        case .fault: nil
        }
    }
}

extension Cause: Sampled {
    package static var firstSample: Cause { .replies(1) }

    package var nextSample: Cause? {
        switch self {
        case .replies: .losses(3, nil)
        case .losses: .faults(3, Fault(.internal, detail: "no"))
        case .faults: .slow(roundTrip: .milliseconds(900), limit: .milliseconds(500))
        case .slow: .concern("expires in 5 days")
        case .concern: .lossy(loss: 0.4, limit: 0.2)
        case .lossy: nil
        }
    }
}

extension SessionState: Sampled {
    package static var firstSample: SessionState { .setup }

    package var nextSample: SessionState? {
        switch self {
        case .setup: .preparing
        case .preparing: .waiting(Failure(.noRoute))
        case .waiting: .ready
        case .ready: .failed(.timeout)
        case .failed: .cancelled
        case .cancelled: nil
        }
    }
}

extension RosterEvent.Kind: Sampled {
    private static let transition = Transition(
        from: .up,
        to: .down,
        time: .seconds(2),
        lasted: .seconds(60),
        cause: .losses(3, Failure(.refused))
    )

    package static var firstSample: RosterEvent.Kind { .transition(transition) }

    package var nextSample: RosterEvent.Kind? {
        let armed = ArmedHook(id: ArmedHook.ID(1), action: .command(.shell("true")), since: .zero)
        switch self {
        case .transition: return .fault(Fault(.permission, detail: "no", cures: ["sudo a", "sudo b"]))
        case .fault: return .faultCleared
        case .faultCleared: return .addressChanged(from: "192.0.2.5", to: "192.0.2.6")
        case .addressChanged:
            let end = PathEnd.silent(hop: 2, address: "10.1.0.1", length: 3)
            let before = ["10.0.0.1", "10.1.0.1", "192.0.2.5"]
            return .path(.ended(TracedPath(end: end, hops: ["10.0.0.1", "10.1.0.1"], before: before)))
        case .path: return .cause(.named(.sample))
        case .cause: return .shift(.level(.sample))
        case .shift(.level): return .shift(.loss(.sample))
        case .shift(.loss): return .shift(.common(CommonShift(.sample, isRise: true, isReturn: false)))
        case .shift(.common): return .session(.ready)
        case .session: return .hookSkipped(.make(), .cellular)
        case .hookSkipped: return .armed(armed)
        case .armed: return .disarmed(armed, of: "NAS", .disarmed)
        case .disarmed: return .hooksMissing
        case .hooksMissing: return .blocked(by: .link)
        case .blocked: return .unblocked
        case .unblocked: return .flapping(true, share: 0.42)
        case .flapping: return .acknowledged(Acknowledgement(reason: "known", since: .zero))
        case .acknowledged: return .acknowledgementEnded(.up)
        case .acknowledgementEnded: return .paused
        case .paused: return .resumed
        case .resumed: return .maintenance(name: "Backups", until: .seconds(3_604))
        case .maintenance: return .maintenanceEnded
        case .maintenanceEnded: return .scheduleMissed(share: 0.6)
        case .scheduleMissed: return .scheduleKept
        case .scheduleKept: return .stalled(.seconds(61))
        case .stalled: return nil
        }
    }
}

extension HookDrop: Sampled {
    package static var firstSample: HookDrop { .coolingDown(left: .seconds(2)) }

    package var nextSample: HookDrop? {
        switch self {
        case .coolingDown: .expired(within: .seconds(2))
        case .expired: .tooShort(outage: .seconds(1), minDown: .seconds(2))
        case .tooShort: .acknowledged
        case .acknowledged: .cellular
        case .cellular: .obsolete
        case .obsolete: .alreadyQueued
        case .alreadyQueued: .quitting
        case .quitting: .alreadySucceeded
        case .alreadySucceeded: .disarmed
        case .disarmed: .targetGone
        case .targetGone: nil
        }
    }
}

extension HookResult.Status: Sampled {
    package static var firstSample: HookResult.Status { .exited(0) }

    package var nextSample: HookResult.Status? {
        switch self {
        case .exited: .signalled(9)
        case .signalled: .timedOut
        case .timedOut: .cancelled
        case .cancelled: .notStarted("no such file")
        case .notStarted: .answered(status: 200)
        case .answered: .unanswered(Failure(.refused))
        case .unanswered: nil
        }
    }
}

extension HookReport: Sampled {
    package static var firstSample: HookReport {
        let context = HookContext(
            event: .up,
            trigger: .user,
            at: .seconds(2),
            name: "NAS",
            question: .tcp(host: "nas.local", port: 445),
            health: .up,
            since: .zero
        )
        return .started(HookRun(id: 1, target: Target.ID(0), rule: .make(), context: context))
    }

    package var nextSample: HookReport? {
        switch self {
        case .started(let run): .finished(run, HookResult(status: .exited(3), duration: .seconds(1), output: "no\n"))
        case .finished(let run, _): .retrying(run, after: .seconds(2))
        case .retrying(let run, _): .dropped(run, .quitting)
        case .dropped: nil
        }
    }
}

extension HookContext.Trigger: Sampled {
    package static var firstSample: HookContext.Trigger {
        .transition(Transition(from: .down, to: .up, time: .seconds(2), lasted: .seconds(3), cause: .replies(1)))
    }

    package var nextSample: HookContext.Trigger? {
        switch self {
        case .transition: .address(from: "192.0.2.4", to: "192.0.2.5")
        case .address: .path(.changed(PathChange(hop: 2, flow: 0, before: "10.1.0.1", after: "10.1.0.2")))
        case .path: .shift(.level(.sample))
        case .shift: .cause(.sample)
        case .cause: .flapping(isFlapping: true, share: 0.42)
        case .flapping: .user
        case .user: nil
        }
    }
}

extension CommonCause {
    /// Fourteen targets behind a silent hop.
    package static let sample = CommonCause(
        id: CommonCause.ID(1),
        accused: [.silent(SilentPosition(after: "10.1.0.1", number: 2)), .group("Shops")],
        explained: 14,
        behind: 14,
        up: 0,
        othersUp: 83,
        since: .seconds(1),
        chance: 0.000_001
    )
}

extension LevelShift {
    /// A rise from 12 to 38 ms, with another router.
    package static let sample = {
        var shift = LevelShift(
            before: .milliseconds(12),
            after: .milliseconds(38),
            began: .seconds(1),
            found: .seconds(2),
            usual: .milliseconds(14)
        )
        shift.hop = 4
        return shift
    }()
}

extension LevelShift {
    /// The end of it.
    package static let sampleReturn = LevelShift(
        before: .milliseconds(38),
        after: .milliseconds(12),
        began: .seconds(1),
        found: .seconds(2),
        ends: .seconds(90)
    )
}

extension LossShift {
    /// A return from 12 % to none.
    package static let sample = LossShift(
        before: 0.12,
        after: 0,
        began: .seconds(1),
        found: .seconds(2),
        ends: .seconds(90)
    )
}

/// A text as an argument of a test. Only its beginning is in the output.
public struct LongText: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral,
    ExpressibleByStringInterpolation
{
    /// The whole text.
    public let text: String

    /// Creates an argument.
    public init(_ text: String) { self.text = text }

    /// Creates an argument from a literal.
    public init(stringLiteral value: String) { text = value }

    /// The beginning, and the length.
    public var testDescription: String {
        text.count <= 60 ? text : "\(text.prefix(60))… (\(text.utf8.count) bytes)"
    }
}

/// A random number generator that returns a constant, so that a test determines random choices.
public struct Constant: RandomNumberGenerator, Sendable {
    private let number: UInt64

    /// Chooses a value near the start of a range.
    public static let low = Constant(number: 1 << 32)
    /// Chooses the last value of a range.
    public static let high = Constant(number: .max)

    /// Returns the constant.
    public func next() -> UInt64 { number }
}
