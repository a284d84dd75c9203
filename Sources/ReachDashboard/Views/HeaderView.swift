import ReachMonitoring
import ReachScreen

/// The first line: the source of the targets, their number, their health, and the time.
///
/// ```
///  reach  dashboard.toml         14 targets   ● 9 up  ◐ 1 slow  ○ 2 down  ‖ 2 paused  (✓ 1 acknowledged)   14:02:31
///  reach  dashboard.toml         14 targets   ●9 ◐1 ○2 ‖2 (✓1)   14:02:31
/// ```
struct HeaderView: View {
    private let context: ViewContext
    private let source: String
    private let fleet: FleetState
    /// The number of edits that are not written.
    private let unsavedEdits: Int
    private let isFiltered: Bool
    /// The number of targets that match the filter.
    private let matches: Int

    init(model: Model) {
        context = ViewContext(model)
        (source, fleet, unsavedEdits) = (model.source, model.fleet, model.editing.unsaved)
        (isFiltered, matches) = (!model.list.filter.isEmpty, model.list.order.positions.count)
    }

    func draw(in area: Area, on frame: inout Frame) {
        for (column, segments) in pieces(in: area) {
            frame.write(
                segments,
                at: Position(column: column, row: area.row),
                limit: area.columns - 2,
                ellipsis: context.appearance.glyphs.ellipsis
            )
        }
    }

    /// Returns the link at a position of the screen.
    func link(at position: Position, in area: Area) -> Segment.Link? {
        guard area.contains(position), position.column <= area.columns - 2 else { return nil }
        let piece = pieces(in: area).last { $0.column <= position.column }
        return piece?.segments.link(atColumn: position.column - (piece?.column ?? 0))
    }

    /// The parts of the line, each with its first column.
    private func pieces(in area: Area) -> [(column: Int, segments: [Segment])] {
        guard !area.isEmpty else { return [] }
        let available = area.columns - 2
        let fitting = forms.first { $0.leading.displayWidth + 2 + $0.trailing.displayWidth <= available }
        if let (leading, trailing) = fitting {
            return [(1, leading), (area.columns - 1 - trailing.displayWidth, trailing)]
        }
        // A frozen screen always shows that it is frozen, so that it is not mistaken for the current state.
        return [(1, context.frozen == nil ? counts(hasWords: false) : time)]
    }

    /// The forms of the line: the words of the counts are omitted only if they do not fit beside the name, and what has
    /// room without them is shown again. Name, counts and time stay longest.
    private var forms: [(leading: [Segment], trailing: [Segment])] {
        let appearance = context.appearance
        let name = [Segment("reach", appearance[.title])]
        let servers = fleet.servers.map(\.name).filter { $0 != self.source }
        let sources = [self.source].filter { !$0.isEmpty } + servers
        let source = [Segment("  " + sources.joined(separator: "  "), appearance[.faint])]
        let count = unsavedEdits
        let unsaved =
            count == 0 ? [] : [Segment("  \(count) unsaved", appearance[.degraded], link: .key(.character("W")))]
        let owner = context.shown.hookOwnerText.map {
            [Segment("  \($0)", appearance[.accent], link: .key(.character("h")))]
        }
        let notes = unsaved + (owner ?? [])
        let counted = fleet.countedTotal
        let total = context.roster.states.healthCounts.total + counted
        let number = isFiltered ? "\(matches) of \(total)" : "\(total)"
        let role: Role = isFiltered ? .text : .faint
        let targets = [Segment("\(number) \(total == 1 ? "target" : "targets")", appearance[role])]
        let few = isFiltered ? [Segment(number, appearance[role])] : []

        let gap = Segment("   ", .plain)
        func trailing(_ targets: [Segment], hasWords: Bool) -> [Segment] {
            targets + (targets.isEmpty ? [] : [gap]) + counts(hasWords: hasWords) + [gap] + time
        }
        let words = trailing(targets, hasWords: true)
        let fewWords = trailing(few, hasWords: true)
        let figures = trailing(targets, hasWords: false)
        let fewFigures = trailing(few, hasWords: false)
        let fewest = trailing([], hasWords: false)
        return [
            (name + source + notes, words), (name + notes, words), (name + notes, fewWords),
            (name + source + notes, figures), (name + notes, figures), (name + notes, fewFigures),
            (name + notes, fewest), (name + unsaved, fewest), (name, fewest), ([], fewest),
        ]
    }

    private var time: [Segment] {
        let clock = context.clock(at: context.now)
        guard context.frozen != nil else { return [Segment(clock, context.appearance[.text])] }
        return [Segment("FROZEN ", context.appearance[.title]), Segment(clock, context.appearance[.accent])]
    }

    /// The number of targets by health; zeros are omitted. Targets that are flapping, disputed, acknowledged or in
    /// maintenance, which are also counted by their health, are in parentheses. A click on a count filters by it.
    private func counts(hasWords: Bool) -> [Segment] {
        let health = context.roster.states.healthCounts
        let glyphs = context.appearance.glyphs
        let parts = segments(
            of: [
                (glyphs.up, .up, "up", health.up + fleet.countedUp),
                (glyphs.degraded, health.slowRole, health.degradedName, health.degraded),
                (glyphs.down, health.downRole, "down", health.down),
                (glyphs.unknown, .waiting, "unknown", health.unknown + fleet.countedUnknown),
                (glyphs.blocked, .waiting, "blocked", health.blocked),
                (glyphs.paused, .waiting, "paused", health.paused),
            ],
            hasWords: hasWords
        )
        let others = segments(
            of: [
                (glyphs.flapping, .degraded, "flapping", health.flapping),
                (glyphs.disputed, .degraded, "disputed", health.disputed),
                (glyphs.acknowledged, .waiting, "acknowledged", health.acknowledged),
                (glyphs.maintenance, .waiting, "maintenance", health.inMaintenance),
            ],
            hasWords: hasWords
        )
        guard !others.isEmpty else { return parts }
        let faint = context.appearance[.faint]
        return parts + [Segment(hasWords ? "  (" : " (", faint)] + others + [Segment(")", faint)]
    }

    private func segments(
        of counts: [(glyph: Character, role: Role, word: String, count: Int)],
        hasWords: Bool
    ) -> [Segment] {
        let shown = counts.filter { $0.count > 0 }.map { glyph, role, word, count in
            let text = hasWords ? "\(glyph) \(count) \(word)" : "\(glyph)\(count)"
            return Segment(text, context.style(role, of: .count(word)), link: .filter("is:\(word)"))
        }
        let gap = Segment(hasWords ? "  " : " ", .plain)
        return Array(shown.map { [$0] }.joined(separator: [gap]))
    }
}

/// The problem that the user has to fix, with the commands that fix it; or else the hint of a first run.
///
/// ```
///  ! 3 targets cannot be probed: ICMP is not permitted – fix, with either:
///      sysctl -w net.ipv4.ping_group_range="0 2147483647"
///      setcap cap_net_raw+ep /usr/local/bin/reach
/// ```
struct BannerView: View {
    let lines: [[Segment]]
    let ellipsis: Character

    func draw(in area: Area, on frame: inout Frame) {
        frame.write(lines, in: area, ellipsis: ellipsis)
    }
}
