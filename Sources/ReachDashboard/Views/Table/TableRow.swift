import ReachMonitoring
import ReachScreen

/// The contents of a target's row, by column.
struct TableRow {
    let state: TargetState
    let context: ViewContext
    /// The width of the methods, so that the authorities are aligned; 0 hides them.
    let methodWidth: Int
    private let axis: TimeAxis
    let statistics: Statistics
    private var appearance: Appearance { context.appearance }

    init(state: TargetState, context: ViewContext, methodWidth: Int, axis: TimeAxis? = nil) {
        self.state = state
        self.context = context
        self.methodWidth = methodWidth
        // Without a chart, the axis of the narrowest chart.
        var axis = axis ?? TimeAxis(.narrowest, until: context.chartEnd, origin: context.chartOrigin)
        axis.end(at: context.chartEnd(of: state, step: axis.step))
        self.axis = axis
        statistics = state.statistics
    }

    /// The maximum width of a health.
    static let healthLimit = 44

    /// Returns the width of a target's health, with its cause and without a running hook, which is soon gone. It needs
    /// only the newest probe, no statistics.
    static func healthWidth(of state: TargetState, in context: ViewContext) -> Int {
        // The quick answer for most targets: they are up, and there is no more to show.
        let hasMore =
            state.isFlapping || state.isInMaintenance || state.fault != nil || !state.armed.isEmpty
            || state.blockedBy != nil
        if state.role == .up, !state.isLosing, !hasMore, state.lastReply?.concern == nil,
            state.lastReply?.detail == nil
        {
            return 0
        }
        return TableRow(newestOf: state, context: context).verdict(width: healthLimit).displayWidth
    }

    /// Creates a row for its health alone, which needs the newest probe and no other statistics.
    init(newestOf state: TargetState, context: ViewContext) {
        self.state = state
        self.context = context
        methodWidth = 0
        axis = TimeAxis(.narrowest, until: context.chartEnd, origin: context.chartOrigin)
        statistics = Statistics(state.history.suffix(1))
    }

    var glyph: Character { state.glyph(appearance.glyphs) }

    var role: Role { state.role }

    private var isPausedOrBlocked: Bool { state.isPausedOrBlocked }

    /// Whether the failure is acknowledged, or there is maintenance, at the time that is shown, so that nothing in the row
    /// stands out.
    private var isCalm: Bool {
        state.targetSummary.isFailureExpected && role == .waiting
    }

    func segments(of column: TableColumn, width: Int) -> [Segment] {
        switch column {
        case .name:
            [
                Segment(
                    state.target.label.shortened(toColumns: width, ellipsis: appearance.glyphs.ellipsis),
                    appearance[state.isPausedOrBlocked ? .waiting : .text]
                )
            ]
        case .group:
            [Segment(state.target.group ?? "", appearance[.faint])]
        case .url:
            url(width: width)
        case .address:
            address(width: width)
        case .health:
            health(width: width)
        case .last:
            figure(
                isPausedOrBlocked ? nil : statistics.last,
                of: .last,
                role: state.fault?.problem == .notReporting ? .waiting : .text,
                isWarning: isSlow && !isCalm
            )
        case .min:
            figure(isPausedOrBlocked ? nil : statistics.min, of: .min)
        case .mean:
            figure(isPausedOrBlocked ? nil : statistics.mean, of: .mean)
        case .p95:
            figure(isPausedOrBlocked ? nil : statistics.percentile(95), of: .p95)
        case .max:
            figure(isPausedOrBlocked ? nil : statistics.max, of: .max)
        case .jitter:
            figure(isPausedOrBlocked ? nil : statistics.jitter, of: .jitter, role: .faint)
        case .sent:
            [Segment(Self.shortened(state.totals.sent), appearance[.faint])]
        case .availability:
            availability
        case .last24Hours, .last7Days, .last30Days, .last90Days:
            availability(of: column)
        case .loss:
            loss
        case .chart:
            chart(width: width)
        case .since:
            age
        }
    }

    /// The sparkline, with the column at the time cursor marked.
    private func chart(width: Int) -> [Segment] {
        // The scale does not depend on the time cursor, so that moving the cursor does not change the chart.
        let charted = context.charted(state)
        let figures = context.cursor == nil ? statistics : charted.statistics
        var segments = Sparkline(charted, along: axis)
            .segments(slow: state.target.thresholds.slow, figures, appearance: appearance)
        if isCalm {
            segments = segments.map {
                $0.style == appearance[.down] ? Segment($0.text, appearance[.waiting]) : $0
            }
        }
        return segments.marked(at: context.cursor.map { axis.column(of: $0) }, appearance: appearance)
    }

    private var age: [Segment] {
        [Segment((context.now - state.since).spanText, appearance[isPausedOrBlocked ? .waiting : .text])]
    }

    private func url(width: Int) -> [Segment] {
        let question = state.target.question
        let style = appearance[state.isPausedOrBlocked ? .waiting : .text]
        // `any` says nothing without its method.
        if methodWidth == 0, case .link = question { return [Segment(question.url, style)] }
        let method = methodWidth == 0 ? "" : question.method.rawValue.padded(toColumns: methodWidth)
        guard !state.target.urlRepeatsName else { return [Segment(method, appearance[.faint])] }
        let available = width - method.displayWidth
        return [
            Segment(method, appearance[.faint]),
            Segment(question.authority(fitting: available, ellipsis: appearance.glyphs.ellipsis), style),
        ]
    }

    /// The address that was probed last, where it is not the host of the URL already.
    private func address(width: Int) -> [Segment] {
        guard let address = state.address else { return none }
        return [Segment(address, appearance[address == state.target.question.host ? .faint : .text])]
    }

    private var availability: [Segment] {
        // After a reset, health is known at once, but no other figure is before the next probe.
        guard context.cursor != nil || state.totals.sent > 0, let share = state.availability(at: context.now) else {
            return none
        }
        return [availability(share)]
    }

    /// The availability from the history.
    private func availability(of column: TableColumn) -> [Segment] {
        context.history.availability[state.id]?[column].map { [availability($0)] } ?? none
    }

    private func availability(_ share: Double) -> Segment {
        let role = Role(availability: share, of: state.target.sla)
        return Segment(share.precisePercentText, appearance[isCalm ? .waiting : role])
    }

    /// A count in at most six columns: `99999`, `123k`, `12M`.
    private static func shortened(_ count: Int) -> String {
        count < 1_000_000 ? "\(count)" : count < 1_000_000_000 ? "\(count / 1_000)k" : "\(count / 1_000_000)M"
    }

    /// The health with its cause, and a running hook; the mark alone if there is no more room.
    private func health(width: Int) -> [Segment] {
        let verdict = verdict(width: width)
        guard context.shown.runningHooks[state.id] != nil else { return verdict }
        let mark = " \(appearance.glyphs.hook)"
        let text = " \(mark) hook running"
        let available = width - verdict.displayWidth
        return verdict + [Segment(text.displayWidth <= available ? text : mark, appearance[.accent])]
    }

    /// The health, the pending streak, and the cause.
    private func verdict(width: Int) -> [Segment] {
        guard !state.isPaused else { return [Segment("paused", appearance[.waiting])] }
        if state.isBlocked, let blocker = state.blockedBy {
            return [Segment(blocker.summary, style(.waiting, of: .health))]
        }
        let mark = "\(appearance.glyphs.fault) "
        let vantage = state.acknowledgement == nil ? VantageText(state, at: context.now) : nil
        if state.health == .unknown, state.blockedBy == nil, vantage == nil, let fault = state.fault {
            let text = fault.text(fitting: width - mark.displayWidth)
            return [Segment(mark + text, appearance[.down])]
        }
        var segments = [Segment(state.health.rawValue, style(state.role, of: .health))]
        if state.isFlapping {
            let share = width < 18 ? "" : " \(state.flappingShare.percentText)"
            segments.append(Segment(" \(appearance.glyphs.flapping)\(share)", appearance[.degraded]))
        }
        if let pending = state.pending {
            segments.append(Segment(" \(pending.streak)/\(pending.threshold)", appearance[.degraded]))
        }
        if !state.armed.isEmpty { segments.append(Segment(" \(appearance.glyphs.hook)", appearance[.accent])) }
        if state.isAcknowledged { segments.append(Segment(" \(appearance.glyphs.acknowledged)", appearance[.accent])) }
        if state.isInMaintenance { segments.append(Segment(" \(appearance.glyphs.maintenance)", appearance[.accent])) }
        if state.targetSummary.isExplained {
            segments.append(Segment(" \(appearance.glyphs.path)", appearance[.accent]))
        }
        let available = width - segments.displayWidth
        if let blocker = state.blockedBy {
            let time = context.wall.minuteOfDay(at: state.since)
            segments.append(Segment("  \(blocker.precedence(since: time))", appearance[.faint]))
        } else if let vantage {
            let text = vantage.rest(fitting: available)
            segments.append(Segment(text, appearance[vantage.verdict.isDisputed ? .degraded : .faint]))
        } else if let fault = state.fault {
            let text = fault.text(fitting: available - mark.displayWidth - 1)
            segments.append(Segment(" \(mark)\(text)", appearance[.down]))
        } else if let note {
            // In a narrow column, the mark alone.
            let text = note.truncated(toColumns: max(0, available - 1), ellipsis: appearance.glyphs.ellipsis)
            if available >= 4 { segments.append(Segment(" \(text)", appearance[.text])) }
        } else if let common = state.commonCause.flatMap({ context.roster.commonCause($0) }) {
            let text = common.place.truncated(toColumns: max(0, available - 1), ellipsis: appearance.glyphs.ellipsis)
            if available >= 4 { segments.append(Segment(" \(text)", appearance[.faint])) }
        } else if let cause = cause(fitting: available - 2) {
            segments.append(Segment("  \(cause)", appearance[.faint]))
        }
        return segments
    }

    /// The reason of an acknowledgement, or the maintenance and its rest.
    private var note: String? {
        if let acknowledgement = state.acknowledgement { return acknowledgement.reason }
        return state.maintenance.map { maintenance in
            "\(maintenance.name ?? "maintenance"), \(max(.zero, maintenance.until - context.now).spanText) left"
        }
    }

    /// The cause of the health, or the detail of the last reply.
    private func cause(fitting columns: Int) -> String? {
        if let failure = state.failure { return failure.text(fitting: columns) }
        if let loss = state.excessLoss(fitting: columns) { return loss }
        if case .losses = state.judge.streak { return state.timeoutText(fitting: columns) }
        if let concern = state.concern(fitting: columns) { return concern }
        if isSlow, let limit = state.target.thresholds.slow { return "> \(limit.roundTripText)" }
        return state.detail(fitting: columns, at: context.now)
    }

    private var isSlow: Bool {
        guard let last = statistics.last, let limit = state.target.thresholds.slow else { return false }
        return last > limit
    }

    private var loss: [Segment] {
        guard !isPausedOrBlocked, let loss = statistics.loss else { return none }
        return [Segment(loss.percentText, style(isCalm ? .waiting : Role(loss: loss) ?? .faint, of: .loss))]
    }

    private func figure(
        _ roundTrip: Duration?,
        of column: TableColumn,
        role: Role = .text,
        isWarning: Bool = false
    ) -> [Segment] {
        guard let roundTrip else { return none }
        return [Segment(roundTrip.roundTripText, style(isWarning ? .degraded : role, of: column))]
    }

    private func style(_ role: Role, of column: TableColumn) -> Style {
        context.style(role, of: .figure(column, state.id))
    }

    private var none: [Segment] {
        [Segment(String(appearance.glyphs.none), appearance[.faint])]
    }
}
