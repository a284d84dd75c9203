import ReachMonitoring

/// The bounded list of hook runs, oldest first: waiting, running, finished and dropped ones.
struct HookLog: Sendable {
    /// The maximum number of entries: enough for a night with many outages.
    static let capacity = 1_000
    /// The number of outputs that are kept whole; of older ones, only the last lines are kept.
    static let wholeOutputs = 50

    private(set) var entries: [HookEntry] = []
    /// The runs that other processes have recorded in the history, oldest first.
    private var recorded: [HookEntry] = []
    private var nextID = 1

    /// The runs of this process and of others, oldest first.
    var all: [HookEntry] {
        guard !recorded.isEmpty else { return entries }
        return (entries + recorded).sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// Replaces the runs that other processes have recorded. Runs of this process are left out.
    mutating func setRecorded(_ new: [HookEntry]) {
        recorded = new.filter { run in !entries.contains { $0.isRecorded(as: run) } }
    }

    /// Appends a requested run.
    mutating func append(_ run: HookRun) {
        append(
            run: run.id,
            target: run.target,
            name: run.context.name,
            at: run.context.time,
            cause: run.cause,
            action: run.rule.action,
            state: .waiting
        )
    }

    /// Appends a hook that was dropped before a run of it was requested.
    mutating func append(
        _ drop: HookDrop,
        of action: HookAction,
        target: Target.ID,
        name: String,
        at time: Duration,
        because cause: String
    ) {
        append(run: nil, target: target, name: name, at: time, cause: cause, action: action, state: .dropped(drop))
    }

    private mutating func append(
        run: HookRun.ID?,
        target: Target.ID,
        name: String,
        at time: Duration,
        cause: String,
        action: HookAction,
        state: HookEntry.State
    ) {
        let entry = HookEntry(
            id: nextID,
            run: run,
            target: target,
            name: name,
            time: time,
            cause: cause,
            action: action.description,
            progress: Progress(state, at: time)
        )
        nextID += 1
        entries.append(entry)
        // Removing a quarter at a time amortizes the cost of moving the rest.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }

    /// Updates the state of a run.
    mutating func record(_ report: HookReport, at time: Duration) {
        guard let index = entries.lastIndex(where: { $0.run == report.run.id }) else { return }
        entries[index].progress.enter(HookEntry.State(report), at: time)
        if case .finished = report { shortenOutputs() }
    }

    private mutating func shortenOutputs() {
        let whole = entries.indices.filter { entries[$0].output.utf8.count > Self.shortOutput }
        guard whole.count > Self.wholeOutputs, let oldest = whole.first,
            case .finished(let result, let attempt) = entries[oldest].state
        else { return }
        entries[oldest].progress.newest = .finished(result.shortened(to: Self.shortOutput), attempt: attempt)
    }

    /// The log at a past time.
    func rewound(to time: Duration) -> HookLog {
        var past = self
        past.entries = entries.compactMap { $0.rewound(to: time) }
        past.recorded = recorded.compactMap { $0.rewound(to: time) }
        return past
    }

    /// The number of running hooks of each target; targets without any are absent.
    var running: [Target.ID: Int] {
        entries.reduce(into: [:]) { counts, entry in
            if case .running = entry.state { counts[entry.target, default: 0] += 1 }
        }
    }

    /// The number of bytes that are kept of an older output.
    private static let shortOutput = 2_048
}

extension HookEntry {
    /// Whether a recorded run is this one. The history has times in milliseconds.
    fileprivate func isRecorded(as other: HookEntry) -> Bool {
        target == other.target && action == other.action && (time - other.time).nanoseconds.magnitude <= 2_000_000
    }
}

extension HookResult {
    /// The result with only the last `bytes` bytes of its output.
    fileprivate func shortened(to bytes: Int) -> HookResult {
        var kept = output.suffix(bytes)
        while kept.utf8.count > bytes { kept.removeFirst() }
        return HookResult(
            status: status,
            duration: duration,
            output: String(kept),
            droppedBytes: droppedBytes + output.utf8.count - kept.utf8.count
        )
    }
}

extension HookRun {
    /// The trigger of the run, in words.
    fileprivate var cause: String {
        if isTest { return "test" }
        return switch context.trigger {
        case .transition(let transition): transition.summary
        case .address(_, let new): "another address: \(new)"
        case .path(let news): news.summary
        case .shift(let news): news.summary
        case .cause(let cause): "common cause: \(cause.place)"
        case .flapping(let isFlapping, _): isFlapping ? "flapping" : RosterEvent.flappingEndedSummary
        case .user: "armed"
        }
    }
}

/// A row of the list of hook runs.
enum HookRow: Sendable {
    /// An armed hook, waiting for its target to be reachable.
    case armed(ArmedHook, Target)
    /// A hook run.
    case entry(HookEntry)

    /// The identity of a row, which stays the same when new runs move it.
    enum ID: Sendable, Hashable {
        case armed(ArmedHook.ID)
        case entry(HookEntry.ID)
    }

    var id: ID {
        switch self {
        case .armed(let hook, _): .armed(hook.id)
        case .entry(let entry): .entry(entry.id)
        }
    }

    var isArmed: Bool {
        if case .armed = self { true } else { false }
    }

    /// The command or request, as text.
    var action: String {
        switch self {
        case .armed(let hook, _): hook.action.description
        case .entry(let entry): entry.action
        }
    }
}
