import ReachMonitoring
public import ReachScreen

extension Model {
    /// Draws the screen.
    ///
    /// - Parameter painted: the frame that was painted last. If only the selection or figures of targets have changed, only
    ///   these are drawn again, and the other rows are shared with that frame.
    public func draw(over painted: Frame? = nil) -> Frame {
        if let painted, painted.size == size, staleness <= .selected, let frame = drawChanges(over: painted) {
            return frame
        }
        var frame = frame()
        frame.replace(appearance.glyphs.substitutes)
        return frame
    }

    /// Draws the targets whose figures have changed, and the selection; nil if the view cannot draw single targets, or has
    /// scrolled.
    private func drawChanges(over painted: Frame) -> Frame? {
        let isSelection = staleness == .selected
        guard isSelection || !damage.targets.isEmpty else { return painted }
        guard frozen == nil, !coversRows else { return nil }
        var frame = painted
        switch navigation.view {
        case .table:
            guard !isSelection || selection.scroll == damage.paintedSelection.scroll else { return nil }
            let ids = isSelection ? [damage.paintedSelection.id, selection.id].compactMap(\.self) : []
            TableView(model: self).drawChanges(of: damage.targets, rows: Set(ids), in: areas.list, on: &frame)
            if isSelection || selectedTargetHasChanged { drawSelectedTarget(on: &frame) }
            if isSelection {
                frame.clear(areas.footer)
                FooterView(model: self).draw(in: areas.footer, on: &frame)
            }
        case .graphs:
            GraphsView(model: self).drawChanges(of: damage.targets, on: &frame)
        case .wall:
            guard WallView(model: self).drawChanges(of: damage.targets, on: &frame) else { return nil }
        case .detail, .vantagePoints, .path, .paths, .comparison, .events, .hooks, .strips:
            return nil
        }
        frame.replace(appearance.glyphs.substitutes)
        return frame
    }

    /// Whether the target in the chart below the table has replied.
    private var selectedTargetHasChanged: Bool {
        SelectedTargetView(model: self).map { damage.targets.contains($0.target) } ?? false
    }

    /// Draws the chart below the table, over an earlier one.
    private func drawSelectedTarget(on frame: inout Frame) {
        frame.clear(areas.chart)
        SelectedTargetView(model: self)?.draw(in: areas.chart, on: &frame)
    }

    /// Whether the help, the palette or a form covers the view.
    private var coversRows: Bool {
        navigation.helpScroll != nil || prompts.current?.purpose == .action || editing.form != nil
    }

    private func frame() -> Frame {
        var frame = Frame(size: size)
        let areas = areas
        HeaderView(model: self).draw(in: areas.header, on: &frame)
        BannerView(lines: bannerLines, ellipsis: appearance.glyphs.ellipsis).draw(in: areas.banner, on: &frame)
        FooterView(model: self).draw(in: areas.footer, on: &frame)
        drawBody(in: areas, on: &frame)
        if let prompt = prompts.current, prompt.purpose == .action {
            let palette = paletteView(prompt)
            palette.draw(in: palette.area, on: &frame)
        }
        if let form = editing.form {
            var area = areas.body
            area.rows += areas.footer.rows
            FormView(appearance: appearance, form: form).draw(in: area, on: &frame)
        }
        return frame
    }

    private func drawBody(in areas: Areas, on frame: inout Frame) {
        let body = areas.body
        if let scroll = navigation.helpScroll {
            HelpView(model: self, scroll: scroll).draw(in: body, on: &frame)
            return
        }
        switch navigation.view {
        case .detail(let viewState):
            DetailView(model: self, viewState: viewState).draw(in: body, on: &frame)
        case .comparison:
            ComparisonView(model: self).draw(in: body, on: &frame)
        case .events(let viewState):
            EventsView(model: self, viewState: viewState).draw(in: body, on: &frame)
        case .hooks(let viewState):
            HooksView(model: self, viewState: viewState).draw(in: body, on: &frame)
        case .wall:
            let wall = WallView(model: self)
            wall.draw(in: wall.area, on: &frame)
            if wall.hasEvents { EventsView(model: self).draw(in: areas.events, on: &frame) }
        case .graphs:
            GraphsView(model: self).draw(in: body, on: &frame)
        case .strips:
            StripsView(model: self).draw(in: body, on: &frame)
        case .vantagePoints:
            VantageView(model: self).draw(in: body, on: &frame)
        case .path(let viewState):
            PathView(model: self, viewState: viewState).draw(in: body, on: &frame)
        case .paths:
            PathTreeView(model: self).draw(in: body, on: &frame)
            EventsView(model: self).draw(in: areas.events, on: &frame)
        case .table:
            let table = TableView(model: self)
            table.drawHeadings(in: areas.headings, on: &frame)
            table.draw(in: areas.list, on: &frame)
            SelectedTargetView(model: self)?.draw(in: areas.chart, on: &frame)
            if columns.index == nil {
                EventsView(model: self).draw(in: areas.events, on: &frame)
                table.drawRange(in: areas, on: &frame)
            } else {
                ColumnListView(model: self).draw(in: areas.events, on: &frame)
            }
        }
    }

    /// Draws the final table, which stays in the scrollback after the program has exited: not frozen, without filter,
    /// events and footer, and of limited length.
    public func finalScreen() -> Frame {
        guard list.filter.isEmpty, frozen == nil else {
            var model = self
            model.list.filter(by: Filter())
            model.frozen = nil
            model.list.update(with: roster, history, at: now, folding: navigation.overview == .table)
            return model.finalScreen()
        }
        let count = rows.count
        let shown = min(count, Self.farewellRows)
        var frame = Frame(size: Size(columns: size.columns, rows: shown + (shown < count ? 3 : 2)))
        HeaderView(model: self).draw(in: Area(row: 0, rows: 1, columns: size.columns), on: &frame)
        var table = TableView(model: self)
        table.selected = nil
        table.scroll = 0
        table.drawHeadings(in: Area(row: 1, rows: 1, columns: size.columns), on: &frame)
        table.draw(in: Area(row: 2, rows: shown, columns: size.columns), on: &frame)
        if shown < count {
            let more = "\(appearance.glyphs.ellipsis) \(count - shown) more"
            frame.write(more, at: Position(column: 3, row: shown + 2), style: appearance[.faint])
        }
        frame.replace(appearance.glyphs.substitutes)
        return frame
    }

    private static let farewellRows = 100
}

extension Model {
    /// Returns the screen as an SVG document.
    public func picture() -> String {
        var model = self
        model.status = nil
        return model.draw().svg(title: title, palette: appearance.theme.palette)
    }

    /// The title of the picture, which describes its content.
    private var title: String {
        let health = roster.states.healthCounts
        let counts = [(health.up, "up"), (health.degraded, health.degradedName), (health.down, "down")]
            .filter { $0.0 > 0 }
        let healths = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let targets = "\(health.total) \(health.total == 1 ? "target" : "targets")"
        return "reach \(source) at \(wall.timeOfDay(at: now)): \(targets)\(healths.isEmpty ? "" : ", \(healths)")"
    }

    /// Saves the picture in a file named after the local time.
    mutating func savePicture() -> [Effect] {
        [.save(picture(), name: "reach-\(wall.zone.stamp(of: wall.start + now)).svg")]
    }

    /// Writes the time of the selected event into a file, or else that of the time cursor, or the present one, with the selected
    /// targets.
    mutating func saveIncident() -> [Effect] {
        guard !history.isOff else {
            showStatus("no file: \(history.problem ?? "there is no history")")
            return []
        }
        let time = wall.start + (selectedEventTime ?? cursor ?? now)
        let names = selectedTargets.map(\.target.label)
        showStatus("writing the file about \(ViewContext(self).clock(at: time - wall.start))")
        let name = "reach-incident-\(wall.zone.stamp(of: time)).jsonl"
        return [.saveIncident(at: time, of: names, among: assignments, name: name)]
    }
}
