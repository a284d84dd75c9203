import ReachMonitoring
import ReachScreen

/// The first line: the source of the targets, their number, their health, and the time.
///
/// ```
///  reach  dashboard.toml         14 targets   ● 9 up  ◐ 1 slow  ○ 2 down  ‖ 2 paused  (✓ 1 acknowledged)   14:02:31
///  reach  dashboard.toml         14 targets   ●9 ◐1 ○2 ‖2 (✓1)   14:02:31
/// ```
struct HeaderView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        for (column, segments) in pieces(in: area) {
            frame.write(
                segments,
                at: Position(column: column, row: area.row),
                limit: area.columns - 2,
                ellipsis: model.appearance.glyphs.ellipsis
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
        let room = area.columns - 2
        let fitting = forms.first { $0.leading.displayWidth + 2 + $0.trailing.displayWidth <= room }
        if let (leading, trailing) = fitting {
            return [(1, leading), (area.columns - 1 - trailing.displayWidth, trailing)]
        }
        // A frozen screen always shows that it is frozen, so that it is not mistaken for the current state.
        return [(1, model.frozen == nil ? counts(hasWords: false) : time)]
    }

    /// The forms of the line: the words of the counts are omitted only if they do not fit beside the name, and what has
    /// room without them is shown again. Name, counts and time stay longest.
    private var forms: [(leading: [Segment], trailing: [Segment])] {
        let appearance = model.appearance
        let name = [Segment("reach", appearance[.title])]
        let servers = model.fleet.servers.map(\.name).filter { $0 != model.source }
        let sources = [model.source].filter { !$0.isEmpty } + servers
        let source = [Segment("  " + sources.joined(separator: "  "), appearance[.faint])]
        let count = model.editing.unsaved
        let unsaved =
            count == 0 ? [] : [Segment("  \(count) unsaved", appearance[.degraded], link: .key(.character("W")))]
        let owner = model.hookOwnerText.map { [Segment("  \($0)", appearance[.accent], link: .key(.character("h")))] }
        let notes = unsaved + (owner ?? [])
        let counted = model.fleet.countedTotal
        let (total, shown) = (model.roster.states.healthCounts.total + counted, model.list.order.positions.count)
        let isFiltered = !model.list.filter.isEmpty
        let number = isFiltered ? "\(shown) of \(total)" : "\(total)"
        let role: Role = isFiltered ? .text : .faint
        let targets = [Segment("\(number) \(total == 1 ? "target" : "targets")", appearance[role])]
        let matches = isFiltered ? [Segment(number, appearance[role])] : []

        let gap = Segment("   ", .plain)
        func trailing(_ targets: [Segment], hasWords: Bool) -> [Segment] {
            targets + (targets.isEmpty ? [] : [gap]) + counts(hasWords: hasWords) + [gap] + time
        }
        let words = trailing(targets, hasWords: true)
        let fewWords = trailing(matches, hasWords: true)
        let figures = trailing(targets, hasWords: false)
        let fewFigures = trailing(matches, hasWords: false)
        let fewest = trailing([], hasWords: false)
        return [
            (name + source + notes, words), (name + notes, words), (name + notes, fewWords),
            (name + source + notes, figures), (name + notes, figures), (name + notes, fewFigures),
            (name + notes, fewest), (name + unsaved, fewest), (name, fewest), ([], fewest),
        ]
    }

    private var time: [Segment] {
        let clock = model.wall.timeOfDay(at: model.now)
        guard model.frozen != nil else { return [Segment(clock, model.appearance[.text])] }
        return [Segment("FROZEN ", model.appearance[.title]), Segment(clock, model.appearance[.accent])]
    }

    /// The number of targets by health; zeros are omitted. Targets that are flapping, disputed, acknowledged or in
    /// maintenance, which are also counted by their health, are in parentheses. A click on a count filters by it.
    private func counts(hasWords: Bool) -> [Segment] {
        let health = model.roster.states.healthCounts
        let glyphs = model.appearance.glyphs
        let parts = segments(
            of: [
                (glyphs.up, .up, "up", health.up + model.fleet.countedUp),
                (glyphs.degraded, health.slowRole, health.degradedName, health.degraded),
                (glyphs.down, health.downRole, "down", health.down),
                (glyphs.unknown, .waiting, "unknown", health.unknown + model.fleet.countedUnknown),
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
        let faint = model.appearance[.faint]
        return parts + [Segment(hasWords ? "  (" : " (", faint)] + others + [Segment(")", faint)]
    }

    private func segments(
        of counts: [(glyph: Character, role: Role, word: String, count: Int)],
        hasWords: Bool
    ) -> [Segment] {
        let shown = counts.filter { $0.count > 0 }.map { glyph, role, word, count in
            let text = hasWords ? "\(glyph) \(count) \(word)" : "\(glyph)\(count)"
            return Segment(text, model.style(role, of: .count(word)), link: .filter("is:\(word)"))
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
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        for (index, line) in model.bannerLines.prefix(area.rows).enumerated() {
            let position = Position(column: 1, row: area.row + index)
            frame.write(line, at: position, limit: area.columns - 2, ellipsis: model.appearance.glyphs.ellipsis)
        }
    }
}
