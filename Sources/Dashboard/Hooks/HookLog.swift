import Monitoring

/// The bounded list of hook runs, oldest first: those that wait, that run, that have ended, and that were given up.
struct HookLog: Sendable {
    /// Enough for a night of trouble.
    static let capacity = 1_000
    /// Of this many of the newest the whole output is kept; of those before, its last lines.
    static let wholeOutputs = 50

    private(set) var entries: [HookEntry] = []
    private var nextID = 1

    /// Takes in that a run was asked for.
    mutating func append(_ run: HookRun) {
        append(
            run: run.id,
            target: run.target,
            name: run.occasion.name,
            at: run.occasion.time,
            cause: run.cause,
            action: run.rule.action,
            state: .waiting
        )
    }

    /// Takes in that a hook was given up before there was a run of it.
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
            state: state
        )
        nextID += 1
        entries.append(entry)
        // Dropping a quarter at a time keeps the cost of making room off every single entry.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }

    /// Takes in what became of a run.
    mutating func record(_ report: HookReport) {
        guard let index = entries.lastIndex(where: { $0.run == report.run.id }) else { return }
        switch report {
        case .started(let run):
            entries[index].state = .running(attempt: run.attempt)
        case .retrying(let run, _):
            entries[index].state = .retrying(attempt: run.attempt)
        case .finished(let run, let result):
            entries[index].state = .finished(result, attempt: run.attempt)
            shortenOutputs()
        case .dropped(_, let drop):
            entries[index].state = .dropped(drop)
        }
    }

    private mutating func shortenOutputs() {
        let whole = entries.indices.filter { entries[$0].output.utf8.count > Self.shortOutput }
        guard whole.count > Self.wholeOutputs, let oldest = whole.first,
            case .finished(let result, let attempt) = entries[oldest].state
        else { return }
        entries[oldest].state = .finished(result.shortened(to: Self.shortOutput), attempt: attempt)
    }

    /// Bytes of an older output that are kept.
    private static let shortOutput = 2_048
}

extension HookResult {
    /// The same with no more than so many bytes of output, of its end.
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
