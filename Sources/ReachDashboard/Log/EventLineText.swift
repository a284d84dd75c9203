import ReachMonitoring
import ReachScreen

extension EventList {
    /// What a line says.
    struct LineText {
        /// The target, or the number of targets.
        let name: String
        /// The entry with the time, the text, the note and the hook runs. For a folded line, it stands for all of them.
        let entry: EventEntry
        /// The number of changes of a flapping target, in place of the note.
        var changes: String?
    }

    /// The text of a line.
    func text(of line: Line, in context: ViewContext) -> LineText {
        let newest = newest(of: line)
        guard let key = line.key else { return LineText(name: newest.subject.name, entry: newest) }
        if case .flapping = key {
            let since = context.wall.timeOfDay(at: oldest(of: line).time)
            let changes = "\(line.positions.count) changes since \(since)"
            return LineText(name: newest.subject.name, entry: newest, changes: changes)
        }
        let entries = entries(of: line)
        let names = entries.prefix(Self.namedEntries).map(\.subject.name).joined(separator: ", ")
        let more = entries.count - Self.namedEntries
        let entry = EventEntry(
            oldest(of: line).time,
            key == .start ? .program(isProblem: false) : newest.subject,
            Self.text(of: entries, folded: key),
            note: key == .start ? nil : names + (more > 0 ? ", and \(more) more" : ""),
            runs: EventEntry.Run.sums(of: entries.flatMap(\.runs))
        )
        return LineText(name: Self.name(of: entries, in: context.roster), entry: entry)
    }

    /// The maximum number of targets that a folded line names; more than fit a line of usual width.
    private static let namedEntries = 40

    /// The targets of entries: `50 of hall-b`, `all 12 of hall-b`, `50 targets`.
    private static func name(of entries: [EventEntry], in roster: Roster) -> String {
        let targets = Set(entries.flatMap(\.targets))
        let groups = Set(targets.map { roster[$0]?.target.group })
        guard groups.count == 1, let group = groups.first.flatMap(\.self) else { return "\(targets.count) targets" }
        let isWhole = roster.states.count { $0.target.group == group } == targets.count
        return "\(isWhole ? "all " : "")\(targets.count) of \(group)"
    }

    /// What the entries of a folded line say: `down: timeout`, `started: 18 up, 2 down`.
    private static func text(of entries: [EventEntry], folded key: FoldKey) -> String {
        let changes = entries.compactMap { entry in
            if case .health(_, let transition) = entry.subject { transition } else { nil }
        }
        switch key {
        case .start:
            let counts = [Health.up, .degraded, .down, .unknown].compactMap { health in
                let count = changes.count { $0.to == health }
                return count == 0 ? nil : "\(count) \(health.rawValue)"
            }
            return "started: \(counts.joined(separator: ", "))"
        case .health(let health, let reason?):
            return "\(health.rawValue): \(Reason(rawValue: reason)?.words ?? reason)"
        case .health(let health, nil):
            // The lengths of the outages.
            let texts = [changes.compactMap(\.outage).min(), changes.compactMap(\.outage).max()]
                .compactMap { $0?.outageText }
            let lengths = texts.first == texts.last ? texts.first : texts.joined(separator: " to ")
            return health.rawValue + (lengths.map { " after \($0)" } ?? "")
        case .shift(let change): return change.rawValue.replacing("_", with: " ")
        case .text(let text): return text
        case .flapping: return entries.last?.text ?? ""
        }
    }
}

extension EventEntry.Run {
    /// The numbers of runs by their results, for each hook: `mount 48 ok, 2 failed`.
    fileprivate static func sums(of runs: [Self]) -> [Self] {
        var names: [String] = []
        var byName: [String: [Self]] = [:]
        for run in runs {
            if byName[run.name] == nil { names.append(run.name) }
            byName[run.name, default: []].append(run)
        }
        return names.compactMap { name in
            guard let runs = byName[name] else { return nil }
            var results: [String] = []
            var counts: [String: Int] = [:]
            for run in runs {
                let result = String(run.status.prefix { $0 != "," && $0 != ":" })
                if counts[result] == nil { results.append(result) }
                counts[result, default: 0] += 1
            }
            let status = results.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", ")
            let worst = runs.first { $0.role == .down } ?? runs.first { $0.role != .up } ?? runs[0]
            return Self(name: name, status: status, role: worst.role)
        }
    }
}
