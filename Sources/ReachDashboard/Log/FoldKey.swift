import ReachMonitoring

/// What the entries of one line of the events have in common.
enum FoldKey: Sendable, Hashable {
    /// The first verdict about a target: after the start of the program, after a pause, or after it was added.
    case start
    /// A change to this health, for this reason.
    case health(Health, reason: String?)
    /// A lasting change of the usual round trips or losses.
    case shift(ShiftNews.Change)
    /// Another event of a target, with this text.
    case text(String)
    /// A change of this target while it flaps.
    case flapping(String)

    /// A change of health, with the reason for the new one.
    typealias Change = (from: Health, to: Health, reason: String?)

    /// The key of an event of one target; nil for an event that always has a line of its own.
    ///
    /// - Parameters:
    ///   - change: the change of health, if the event is one.
    ///   - shift: the change of the usual round trips or losses, if the event is one.
    init?(
        of subject: EventEntry.Subject,
        _ change: Change?,
        _ text: String,
        shift: ShiftNews.Change? = nil,
        isFlapping: Bool = false
    ) {
        switch (subject, change) {
        case (.health, _) where isFlapping, (.shift, _) where isFlapping:
            self = .flapping(subject.name)
        case (.health, let change?):
            self = change.from == .unknown ? .start : .health(change.to, reason: change.reason)
        case (.target, _), (.blocked, _), (.path, _), (.fault, _), (.flapping, _):
            self = .text(text)
        case (.shift, _):
            guard let shift else { return nil }
            self = .shift(shift)
        case (.health, nil), (.hook, _), (.cause, _), (.program, _):
            return nil
        }
    }

    /// The longest time from the first entry of a line to its last; nil for no limit. Targets that fail or start together are
    /// probed at different times of their intervals.
    fileprivate var span: Duration? {
        switch self {
        // A shift is found some replies after it began.
        case .start, .shift: .seconds(60)
        case .health, .text: .seconds(10)
        case .flapping: nil
        }
    }

    /// Whether the line is where its newest entry is, and says what that says.
    fileprivate var followsNewest: Bool { if case .flapping = self { true } else { false } }
}

/// The lines of the newest entries, into which the next entry may be folded.
struct FoldedLines: Sendable {
    private struct Line {
        let id: Int
        let start: Duration
        /// The targets of its entries: two changes of one target are no change of several.
        var targets: Set<Target.ID>
    }

    private var lines: [FoldKey: Line] = [:]

    /// The number of lines beyond which those that are over are removed.
    private static let capacity = 256

    /// Returns the line of the next entry: that of an earlier entry, or its own number.
    mutating func line(of entry: EventEntry, numbered id: Int) -> Int {
        // Another event of the target ends the line of its changes.
        if entry.fold?.followsNewest != true { lines[.flapping(entry.subject.name)] = nil }
        guard let key = entry.fold else { return id }
        if let line = lines[key], key.followsNewest || continues(line, entry, by: key) {
            lines[key]?.targets.formUnion(entry.targets)
            return line.id
        }
        if lines.count > Self.capacity {
            lines = lines.filter { key, line in key.span.map { entry.time - line.start <= $0 } ?? true }
        }
        lines[key] = Line(id: id, start: entry.time, targets: Set(entry.targets))
        return id
    }

    /// Whether an entry is of the same moment as a line, and about another target.
    private func continues(_ line: Line, _ entry: EventEntry, by key: FoldKey) -> Bool {
        key.span.map { entry.time - line.start <= $0 } ?? true && line.targets.isDisjoint(with: entry.targets)
    }
}

/// The lines of the events, newest first. Entries of one moment with the same cause are one line, which can be unfolded: an
/// outage of fifty hosts, the first verdicts after a start. So are the changes of a target while it flaps.
struct EventList: Sendable {
    /// A line: an entry, or several that are folded.
    struct Line: Sendable, Hashable {
        /// The identity of a line, which stays while its entries are kept.
        enum ID: Sendable, Hashable {
            case entry(Int)
            case folded(Int)
            /// Targets that did not come up at the start, for one reason.
            case notStarted(Int)
        }

        let id: ID
        /// What the entries have in common; nil for a single one.
        var key: FoldKey?
        /// The positions of the entries in the log, oldest first.
        let positions: [Int]
        /// Whether the line is below the one that it was unfolded from.
        var isPart = false

        var isFolded: Bool { key != nil }
    }

    private(set) var lines: [Line] = []
    /// The selected line; nil in the pane.
    var selected: Line.ID?
    private let log: EventLog

    /// - Parameters:
    ///   - unfolded: the folded lines whose entries follow, each on a line of its own.
    ///   - isShown: whether an entry is shown; nil for all.
    init(of log: EventLog, unfolded: Set<Line.ID> = [], where isShown: ((EventEntry) -> Bool)? = nil) {
        self.log = log
        let entries = log.entries
        var members: [Int: [Int]] = [:]
        // The entries of a start that are not about a recovery, by their line and what they are.
        var notStarted: [NotStarted: [Int]] = [:]
        for (position, entry) in entries.enumerated() where isShown?(entry) ?? true {
            members[entry.line, default: []].append(position)
            if let key = NotStarted(entry) { notStarted[key, default: []].append(position) }
        }
        for position in entries.indices.reversed() {
            let entry = entries[position]
            guard let positions = members[entry.line], isShown?(entry) ?? true else { continue }
            let single = Line(id: .entry(entry.id), positions: [position])
            guard let key = entry.fold, folds(positions, by: key) else {
                lines.append(single)
                continue
            }
            // What did not come up at the start is too important to be in one line with what did.
            if let key = NotStarted(entry), let positions = notStarted[key] {
                if positions.count < 3 {
                    lines.append(single)
                } else if position == positions.first {
                    let line = Line(id: .notStarted(entry.id), key: key.health, positions: positions)
                    append(line, entries, isUnfolded: unfolded.contains(line.id)) { _ in true }
                }
            }
            guard position == (key.followsNewest ? positions.last : positions.first) else { continue }
            let line = Line(id: .folded(entry.line), key: key, positions: positions)
            append(line, entries, isUnfolded: unfolded.contains(line.id)) { key != .start || $0.isRecovery }
        }
    }

    /// Appends a folded line, and those of its entries if it is unfolded.
    private mutating func append(
        _ line: Line,
        _ entries: [EventEntry],
        isUnfolded: Bool,
        where isShown: (EventEntry) -> Bool
    ) {
        lines.append(line)
        guard isUnfolded else { return }
        for position in line.positions.reversed() where isShown(entries[position]) {
            lines.append(Line(id: .entry(entries[position].id), positions: [position], isPart: true))
        }
    }

    /// What the first verdicts of a start have in common that are no recoveries.
    private struct NotStarted: Hashable {
        let line: Int
        let health: FoldKey

        /// Nil for another entry.
        init?(_ entry: EventEntry) {
            guard entry.fold == .start, case .health(_, let transition) = entry.subject, transition.to != .up else {
                return nil
            }
            (line, health) = (entry.line, .health(transition.to, reason: transition.reason))
        }
    }

    /// Whether entries are folded: two changes of a target that flaps, or else three. One line for two would say less in
    /// hardly less room.
    private func folds(_ positions: [Int], by key: FoldKey) -> Bool {
        switch key {
        case .flapping: positions.count > 1
        case .start: positions.count > 2 && positions.count { log.entries[$0].isRecovery } > 1
        case .health, .text, .shift: positions.count > 2
        }
    }

    /// The entries of a line, oldest first.
    func entries(of line: Line) -> [EventEntry] { line.positions.map { log.entries[$0] } }

    /// The newest entry of a line.
    func newest(of line: Line) -> EventEntry { log.entries[line.positions[line.positions.count - 1]] }

    /// The oldest entry of a line.
    func oldest(of line: Line) -> EventEntry { log.entries[line.positions[0]] }
}

extension EventEntry {
    /// Whether the entry is a change to `up`.
    fileprivate var isRecovery: Bool {
        if case .health(_, let transition) = subject { transition.to == .up } else { false }
    }
}
