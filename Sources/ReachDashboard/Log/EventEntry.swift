import ReachMonitoring

/// An entry of the events, with the hook runs that the event triggered.
struct EventEntry: Sendable, Hashable {
    /// When the event happened, since the start of the program.
    private(set) var time: Duration
    /// The subject of the event.
    let subject: Subject
    /// The description of the event.
    let text: String
    /// An additional note, shown after the text.
    let note: String?
    /// Lines shown below the entry at full height, such as the output of a hook without an event.
    let lines: [String]
    /// Lines shown below the entry at full height while it is selected: the response of a server that went down.
    let evidence: [String]
    /// The trigger of the hooks that wait for the event; nil if none can.
    let trigger: HookContext.Trigger?
    /// The targets that the event is about; empty for one of the program.
    let targets: [Target.ID]
    /// What the entries of one line have in common; nil for an entry with a line of its own.
    let fold: FoldKey?
    /// The number of the entry, counted from the start of the program; that of an older run is negative.
    fileprivate(set) var id = 0
    /// The first entry of the line that the entry is folded into; itself without another one.
    fileprivate(set) var line = 0
    /// The hook runs that the event triggered, in the order of their requests; skipped hooks are last.
    fileprivate(set) var runs: [Run] = []

    /// The subject of an event, which selects its glyph.
    enum Subject: Sendable, Hashable {
        /// A transition of a target's health.
        case health(name: String, Transition)
        /// A hook of a target; `isSuccess` is nil until its run has finished.
        case hook(name: String, isSuccess: Bool?)
        /// Another event of a target.
        case target(name: String)
        /// A blocked target, or the blocker of several.
        case blocked(name: String)
        /// A target whose path has changed, or ends in an outage.
        case path(name: String, isChange: Bool)
        /// A target whose usual round trips or losses changed, and when that began; nil for several targets.
        case shift(name: String?, isProblem: Bool, began: Duration)
        /// A common cause of outages, or its end.
        case cause(isProblem: Bool)
        /// A target that starts or stops flapping.
        case flapping(name: String)
        /// A target that cannot be probed.
        case fault(name: String)
        /// The program itself.
        case program(isProblem: Bool)

        /// Whether two subjects are the same change of a target's usual round trips or losses.
        func isSameShift(as other: Self) -> Bool {
            guard case .shift(let name?, _, let began) = self, case .shift(name, _, began) = other else { return false }
            return true
        }

        /// Whether the subject is the target of this label, and not one of its hooks.
        func isAbout(_ label: String) -> Bool {
            switch self {
            case .hook, .program, .cause: false
            case .health, .target, .blocked, .path, .flapping, .fault: name == label
            case .shift(let name, _, _): name == label
            }
        }

        var name: String {
            switch self {
            case .health(let name, _), .hook(let name, _), .target(let name), .blocked(let name),
                .path(let name, _), .flapping(let name), .fault(let name):
                name
            case .program: "reach"
            case .cause: "cause"
            case .shift(let name, _, _): name ?? "shift"
            }
        }
    }

    init(
        _ time: Duration,
        _ subject: Subject,
        _ text: String,
        note: String? = nil,
        lines: [String] = [],
        evidence: String? = nil,
        trigger: HookContext.Trigger? = nil,
        targets: [Target.ID] = [],
        fold: FoldKey? = nil,
        runs: [Run] = []
    ) {
        self.time = time
        self.subject = subject
        self.text = text
        self.note = note
        self.lines = lines
        self.evidence = evidence.map { Self.lines(of: $0) } ?? []
        self.trigger = trigger
        self.targets = targets
        self.fold = fold
        self.runs = runs
    }

    /// The lines of a text.
    static func lines(of text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    /// The entry in the place of another one, with its time and its runs.
    fileprivate func replacing(_ other: EventEntry) -> EventEntry {
        var entry = self
        (entry.time, entry.runs, entry.id, entry.line) = (other.time, other.runs, other.id, other.line)
        return entry
    }

    /// The entry at a past time; nil before the event.
    func rewound(to time: Duration) -> EventEntry? {
        guard self.time <= time else { return nil }
        var past = self
        past.runs = runs.compactMap { $0.rewound(to: time) }
        return past
    }

    /// The lines below the entry at full height: its own, and the output of its hook runs.
    var linesBelow: [String] {
        let isNamed = runs.count { !$0.output.isEmpty } > 1
        return runs.reduce(into: lines) { lines, run in
            lines += isNamed ? run.output.map { "\(run.name): \($0)" } : run.output
        }
    }
}

/// The bounded list of events, oldest first.
struct EventLog: Sendable {
    /// The maximum number of entries: enough for a day with many outages, within bounded memory.
    static let capacity = 2_000

    private(set) var entries: [EventEntry] = []
    /// The number of the next entry.
    private var next = 0
    private var folds = FoldedLines()

    /// Appends the newest entry.
    mutating func append(_ entry: EventEntry) {
        var entry = entry
        (entry.id, entry.line) = (next, folds.line(of: entry, numbered: next))
        next += 1
        entries.append(entry)
        // Removing a quarter at a time amortizes the cost of moving the rest.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }

    /// Replaces the entry of a change by one that corrects it; appends that if there is none.
    mutating func correct(_ entry: EventEntry) {
        guard let index = entries.lastIndex(where: { $0.subject.isSameShift(as: entry.subject) }) else {
            return append(entry)
        }
        entries[index] = entry.replacing(entries[index])
    }

    /// Adds older entries, as far as there is room.
    mutating func prepend(_ older: [EventEntry]) {
        let older = older.suffix(max(0, Self.capacity - entries.count))
        var folds = FoldedLines()
        let first = (entries.first?.id ?? 0) - older.count
        let numbered = zip(first..., older).map { id, entry in
            var entry = entry
            (entry.id, entry.line) = (id, folds.line(of: entry, numbered: id))
            return entry
        }
        entries.insert(contentsOf: numbered, at: 0)
    }

    /// Appends a requested run to the newest event that triggered it. Armed hooks of reachable targets and tests have
    /// none.
    mutating func append(_ run: HookRun, label: String) {
        // In an outage, thousands of events are searched thousands of times: their times differ, and are compared first.
        let time = run.context.transition?.time
        let index = entries.lastIndex { entry in
            (time == nil || time == entry.time) && entry.isTrigger(of: run, label: label)
        }
        guard let index else { return }
        let new = EventEntry.Run(run)
        // After a cooldown, the run replaces the skipped one.
        entries[index].runs.removeAll { $0.id == nil && $0.name == new.name }
        let end = entries[index].runs.firstIndex { $0.id == nil } ?? entries[index].runs.endIndex
        entries[index].runs.insert(new, at: end)
    }

    /// Appends a skipped hook to the event that would have triggered it: the target's newest one.
    ///
    /// - Returns: Whether there is such an event.
    mutating func append(_ drop: HookDrop, of action: HookAction, label: String, at time: Duration) -> Bool {
        guard let index = entries.lastIndex(where: { $0.trigger != nil && $0.subject.name == label }) else {
            return false
        }
        entries[index].runs.append(EventEntry.Run(drop, of: action, at: time))
        return true
    }

    /// Updates the run of a report.
    ///
    /// - Returns: Whether an event has this run.
    mutating func record(_ report: HookReport, at time: Duration) -> Bool {
        let id = report.run.id
        guard let index = entries.lastIndex(where: { $0.runs.contains { $0.id == id } }),
            let position = entries[index].runs.firstIndex(where: { $0.id == id })
        else { return false }
        entries[index].runs[position].record(report, at: time)
        return true
    }

    /// The events until a time, with the progress of their hook runs then.
    func rewound(to time: Duration) -> EventLog {
        var past = self
        past.entries = entries.compactMap { $0.rewound(to: time) }
        return past
    }
}

extension EventLog {
    /// When the path to a target has changed, oldest first.
    func pathChanges(of label: String) -> [Duration] {
        entries.filter { $0.subject == .path(name: label, isChange: true) }.map(\.time)
    }

    /// When lasting changes of a target's usual round trips or losses began.
    func shifts(of label: String) -> [Duration] {
        entries.compactMap { entry in
            if case .shift(label, _, let began) = entry.subject { began } else { nil }
        }
    }
}

extension EventEntry {
    /// Creates the entry of an event from before the start of the program; nil if its target no longer exists.
    init?(_ stored: TargetEvent, in roster: Roster, wall: WallTime) {
        guard let name = stored.target.flatMap({ roster[$0]?.target.label }) else { return nil }
        let event = stored.event
        let subject: Subject =
            switch event.kind {
            case .transition: .health(name: name, Transition(event, wall: wall))
            case .hook: .hook(name: name, isSuccess: event.isSuccess)
            case .blocked: .blocked(name: name)
            case .path: .path(name: name, isChange: event.reason == PathNews.changedName)
            case .shift:
                .shift(
                    name: name,
                    isProblem: StoredShift(event)?.change.isProblem ?? false,
                    began: (event.since ?? event.time) - wall.start
                )
            case .flapping: .flapping(name: name)
            case .fault: .fault(name: name)
            default: .target(name: name)
            }
        let text = event.text(wall: wall)
        let targets = stored.target.map { [$0] } ?? []
        let change = event.kind == .transition ? (event.from ?? .unknown, event.to ?? .unknown, event.reason) : nil
        let fold = FoldKey(of: subject, change, text, shift: StoredShift(event)?.change)
        let isHook = event.kind == .hook
        self.init(
            event.time - wall.start,
            subject,
            text,
            lines: isHook ? event.output.map { Self.lines(of: $0).suffix(Self.outputLines) } ?? [] : [],
            evidence: isHook ? nil : event.output,
            targets: targets,
            fold: fold
        )
    }
}

extension HistoryEvent {
    /// The event as the rest of a sentence that begins with the target's name, that of a shift with the time when it began.
    fileprivate func text(wall: WallTime) -> String {
        guard let shift = StoredShift(self) else { return summary }
        return shift.sentence { wall.minuteOfDay(at: $0 - wall.start) }
    }
}

extension Transition {
    /// The transition of a stored event, without the number of its outcomes.
    fileprivate init(_ event: HistoryEvent, wall: WallTime) {
        self.init(
            from: event.from ?? .unknown,
            to: event.to ?? .unknown,
            time: event.time - wall.start,
            began: (event.since ?? event.time) - wall.start,
            lasted: event.length ?? .zero,
            cause: event.to == .down ? .losses(1, nil) : .replies(1)
        )
    }
}
