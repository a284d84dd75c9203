/// A rule of the settings: an action, and the events that run it. Rules fire on events, not on probes.
public struct HookRule: Sendable, Hashable {
    /// The most that ``retries`` may be.
    public static let maxRetries = 10

    /// The events that the rule waits for.
    public var events: Set<HookEvent>
    /// The action.
    public var action: HookAction
    /// Whether the rule is disarmed after its first success.
    public var isOnce: Bool
    /// Whether the first verdict after the program's start fires the rule too.
    public var firesAtStart: Bool
    /// The longest time from the start of an outage to a recovery that fires the rule; nil for no limit.
    public var within: Duration?
    /// The shortest outage whose recovery fires the rule.
    public var minDown: Duration
    /// The shortest time between two runs for the same event.
    public var cooldown: Duration
    /// The longest duration of a run. After that its process group gets SIGTERM, and SIGKILL five seconds later.
    public var timeout: Duration
    /// The number of retries of a failed run, after growing pauses.
    public var retries: Int
    /// Whether the rule also runs while the route to the target is a mobile network.
    public var allowsCellular: Bool
    /// Whether events of an acknowledged target do not fire the rule.
    public var skipsAcknowledged: Bool
    /// Whether changes of health fire no run while a common cause explains the outage. Until it is known whether one does,
    /// the rule waits.
    public var skipsExplained: Bool
    /// Whether changes of health fire the rule while the target flaps. Other rules wait until it is steady.
    public var runsWhileFlapping: Bool

    /// Creates a rule with the defaults of the settings.
    public init(
        on events: Set<HookEvent>,
        run action: HookAction,
        isOnce: Bool = false,
        firesAtStart: Bool = false,
        within: Duration? = nil,
        minDown: Duration = .zero,
        cooldown: Duration = .zero,
        timeout: Duration = .seconds(30),
        retries: Int? = nil,
        allowsCellular: Bool = true,
        skipsAcknowledged: Bool = false,
        skipsExplained: Bool = false,
        runsWhileFlapping: Bool = false
    ) {
        self.events = events
        self.action = action
        self.isOnce = isOnce
        self.firesAtStart = firesAtStart
        self.within = within
        self.minDown = minDown
        self.cooldown = cooldown
        self.timeout = timeout
        self.retries = retries ?? action.defaultRetries
        self.allowsCellular = allowsCellular
        self.skipsAcknowledged = skipsAcknowledged
        self.skipsExplained = skipsExplained
        self.runsWhileFlapping = runsWhileFlapping
    }
}

extension HookRule {
    /// Whether the rule is an action at each recovery, as `when_reachable`, and not a report.
    var isAction: Bool { events == [.up] && runsWhileFlapping }

    /// Whether common causes fire the rule, or their ends.
    var firesOnCauses: Bool { events.contains(where: \.isAboutCauses) }
}

/// The events that fire a hook. The raw values are the values of `on` in the settings and of `REACH_EVENT`.
public enum HookEvent: String, Sendable, Hashable, CaseIterable {
    /// The target is reachable again, or for the first time: from unknown or down to up or degraded.
    case up
    /// The target went down.
    case down
    /// The target replies, but slowly, with loss or with a warning.
    case degraded
    /// The target cannot be probed: faults in a row made its health unknown.
    case fault
    /// Any change of health.
    case change
    /// The target began or stopped flapping.
    case flapping
    /// The name resolves to another address.
    case address
    /// The path to the target changed, or was traced while the target is down.
    case path
    /// The usual round trips or losses changed for a longer time.
    case shift
    /// Outages have a common cause. The rule runs once for all of them.
    case cause
    /// A common cause is over. The rule runs once for all outages that it explained.
    case causeEnd = "cause_end"
    /// The user tests a hook. No rule can wait for this event.
    case test

    /// The events that a rule can wait for.
    public static let settable = allCases.filter { $0 != .test }

    /// Whether the event is a common cause, or its end.
    var isAboutCauses: Bool { self == .cause || self == .causeEnd }

    /// The health that a run for the event reports; nil if it does not follow from the event.
    var reportedHealth: Health? {
        switch self {
        case .up: .up
        case .down: .down
        case .degraded: .degraded
        case .fault, .change, .flapping, .address, .path, .shift, .cause, .causeEnd, .test: nil
        }
    }

    /// The events of a change of health, the most specific one first.
    static func events(from: Health, to: Health) -> [HookEvent] {
        let wasReachable = from.isReachable
        return switch to {
        case .up: wasReachable ? [.change] : [.up, .change]
        case .degraded: wasReachable ? [.degraded, .change] : [.up, .degraded, .change]
        case .down: [.down, .change]
        case .unknown: from == .unknown ? [.fault] : [.fault, .change]
        }
    }

    /// The events of a change of health where the health before may have been unknown because of faults.
    ///
    /// - Parameter health: the health before the faults; nil for a target that never had a verdict.
    static func events(from: Health, to: Health, knownBefore health: Health?) -> [HookEvent] {
        guard from == .unknown, to != .unknown, let health else { return events(from: from, to: to) }
        return health == to ? [.change] : events(from: health, to: to)
    }
}

/// The action of a hook.
public enum HookAction: Sendable, Hashable, CustomStringConvertible {
    /// Runs a command.
    case command(HookCommand)
    /// Sends a request.
    case request(Webhook)

    /// The default number of retries after a failed run. A command gets none, since only the user knows whether it may
    /// run twice. A request gets three, since the network that it crosses may be the cause of the failure.
    public var defaultRetries: Int {
        switch self {
        case .command: 0
        case .request: 3
        }
    }

    /// A line for `/bin/sh -c`.
    public static func shell(_ line: String) -> HookAction {
        .command(.shell(line))
    }

    /// A program, found in `PATH`, and its arguments, run without a shell.
    public static func program(_ name: String, arguments: [String]) -> HookAction {
        .command(.program(name, arguments: arguments))
    }

    /// The command as typed in a shell, or the request's first line: `POST https://example.net/hook`.
    public var description: String {
        switch self {
        case .command(let command): command.description
        case .request(let webhook): webhook.description
        }
    }
}

/// The command of a hook or of an `exec:` target.
public enum HookCommand: Sendable, Hashable, CustomStringConvertible {
    /// A line for `/bin/sh -c`.
    case shell(String)
    /// A program, found in `PATH`, and its arguments, run without a shell.
    case program(String, arguments: [String])

    /// The command as typed in a shell.
    public var description: String {
        switch self {
        case .shell(let line): line
        case .program(let name, let arguments): ([name] + arguments).joined(separator: " ")
        }
    }
}

/// Which of the processes with the same settings runs their hooks.
public enum HookOwner: Sendable, Hashable {
    /// This process.
    case thisProcess
    /// This process, and possibly others: for this reason, it is not known whether another one runs them.
    case unknown(String)
    /// Another process, by its number if that is known.
    case process(Int32?)
    /// The user has switched hooks off for this process.
    case disabled

    /// Whether this process runs the hooks.
    public var isThisProcess: Bool {
        switch self {
        case .thisProcess, .unknown: true
        case .process, .disabled: false
        }
    }

    /// The message about a change; nil for a change without one.
    ///
    /// - Parameter old: The owner before; nil at the start.
    package func message(after old: HookOwner?) -> String? {
        switch self {
        case old: nil
        case .thisProcess: old == nil ? nil : "hooks: this process runs them now"
        case .unknown(let reason):
            "hooks: \(reason) – other processes with the same settings run them too, unless they have --no-hooks"
        case .process where old != nil: "hooks: \(processName) runs them now"
        case .process:
            "reach already runs here\(processNumber): it runs the hooks – this one runs them when that one ends, or with --hooks"
        case .disabled: nil
        }
    }

    /// The number of the other process, in parentheses; empty if it is not known.
    private var processNumber: String {
        if case .process(let number?) = self { " (process \(number))" } else { "" }
    }

    /// The other process in words; empty for this one.
    private var processName: String {
        guard case .process(let number) = self else { return "" }
        return number.map { "process \($0)" } ?? "another process"
    }

    /// A short text for the screen; nil if this process runs the hooks.
    package var summary: String? {
        switch self {
        case .thisProcess, .unknown: nil
        case .process: "hooks run in \(processName)"
        case .disabled: "hooks are off"
        }
    }
}
