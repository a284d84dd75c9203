import Monitoring
import Screen

/// The contents of a target's row, by column.
struct TableRow {
    let state: TargetState
    let model: Model
    /// The width of the methods, so that the authorities are aligned.
    let methodWidth: Int
    private let axis: TimeAxis
    /// The target at the time cursor; nil without a cursor.
    private let sample: CursorSample?
    private let statistics: Statistics
    private var appearance: Appearance { model.appearance }

    init(state: TargetState, model: Model, methodWidth: Int, axis: TimeAxis? = nil) {
        self.state = state
        self.model = model
        self.methodWidth = methodWidth
        // Without a chart, the axis of the narrowest chart.
        let axis = axis ?? TimeAxis(.narrowest, until: model.now, origin: model.chartOrigin)
        self.axis = axis
        sample = CursorSample(of: state, in: model, along: axis)
        statistics = sample?.statistics ?? state.statistics
    }

    /// The most columns that a health gets.
    static let healthLimit = 44

    /// Returns the width of a target's health, with its cause. It needs only the newest probe, no statistics.
    static func healthWidth(of state: TargetState, model: Model) -> Int {
        // The quick answer for most targets: they are up, and there is no more to show.
        let hasMore = state.isFlapping || state.fault != nil || !state.armed.isEmpty || state.blockedBy != nil
        if state.role == .up, !state.isLosing, !hasMore, model.live.runningHooks[state.id] == nil,
            state.lastReply?.concern == nil, state.lastReply?.detail == nil
        {
            return 0
        }
        return TableRow(newestOf: state, model: model).health(width: healthLimit).displayWidth
    }

    private init(newestOf state: TargetState, model: Model) {
        self.state = state
        self.model = model
        methodWidth = 0
        axis = TimeAxis(.narrowest, until: model.now, origin: model.chartOrigin)
        sample = nil
        statistics = Statistics(state.history.suffix(1))
    }

    var glyph: Character {
        sample?.glyph(of: state, glyphs: appearance.glyphs) ?? state.glyph(appearance.glyphs)
    }

    var role: Role {
        sample?.role(of: state) ?? state.role
    }

    /// Whether the target is paused or blocked at the time that is shown.
    private var isPausedOrBlocked: Bool {
        state.isPausedOrBlocked && sample.map { $0.pastState == .unchanged } ?? true
    }

    func segments(of column: TableColumn, width: Int) -> [Segment] {
        switch column {
        case .name:
            [Segment(state.target.label, appearance[state.isPausedOrBlocked ? .waiting : .text])]
        case .group:
            [Segment(state.target.group ?? "", appearance[.faint])]
        case .url:
            url(width: width)
        case .address:
            address(width: width)
        case .health:
            sample.map { [Segment($0.healthName(of: state), appearance[$0.role(of: state)])] } ?? health(width: width)
        case .last:
            sample.map { [$0.value(slow: state.target.thresholds.slow, appearance: appearance)] }
                ?? figure(isPausedOrBlocked ? nil : statistics.last, of: .last, isWarning: isSlow)
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
        case .loss:
            loss
        case .chart:
            chart(width: width)
        case .since:
            age
        }
    }

    /// The sparkline, with the column at the time cursor reversed.
    private func chart(width: Int) -> [Segment] {
        // The scale does not depend on the time cursor, so that moving the cursor does not change the chart.
        let figures = sample == nil ? statistics : state.statistics
        let segments = Sparkline(state, along: axis)
            .segments(slow: state.target.thresholds.slow, figures, appearance: appearance)
        guard let sample else { return segments }
        var cells = segments.cells
        let column = axis.column(of: sample.time)
        if cells.indices.contains(column) { cells[column] = cells[column].reversed }
        return cells
    }

    private var age: [Segment] {
        guard let sample else {
            return [Segment((model.now - state.since).spanText, appearance[isPausedOrBlocked ? .waiting : .text])]
        }
        guard let age = sample.age(of: state) else { return none }
        return [Segment(age.spanText, appearance[sample.role(of: state) == .waiting ? .waiting : .text])]
    }

    private func url(width: Int) -> [Segment] {
        let question = state.target.question
        let method = question.method.rawValue.padded(toColumns: methodWidth)
        let room = width - method.displayWidth
        return [
            Segment(method, appearance[.faint]),
            Segment(
                question.authority(fitting: room, ellipsis: appearance.glyphs.ellipsis),
                appearance[state.isPausedOrBlocked ? .waiting : .text]
            ),
        ]
    }

    /// The address that was probed last, where it is not the host of the URL already.
    private func address(width: Int) -> [Segment] {
        guard let address = state.address else { return none }
        return [Segment(address, appearance[address == state.target.question.host ? .faint : .text])]
    }

    /// The availability is that of now: the past one is not kept.
    private var availability: [Segment] {
        guard sample == nil, let share = state.availability(at: model.now) else { return none }
        let role: Role = share < 0.99 ? .down : share < 0.999 ? .degraded : .faint
        return [Segment(share == 1 ? "100%" : "\(Self.percent(share))%", appearance[role])]
    }

    /// A share in per cent with two decimals, rounded down, so that only 1 is 100.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int(share * 10_000)
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    /// A count in at most six columns: `99999`, `123k`, `12M`.
    private static func shortened(_ count: Int) -> String {
        count < 1_000_000 ? "\(count)" : count < 1_000_000_000 ? "\(count / 1_000)k" : "\(count / 1_000_000)M"
    }

    /// The health, the pending streak, and the cause.
    private func health(width: Int) -> [Segment] {
        guard !state.isPaused else { return [Segment("paused", appearance[.waiting])] }
        if state.isBlocked, let blocker = state.blockedBy {
            return [Segment(blocker.summary, appearance[.waiting])]
        }
        var segments = [Segment(state.health.rawValue, appearance[state.role])]
        if state.isFlapping {
            let share = width < 18 ? "" : " \(state.flappingShare.percentText)"
            segments.append(Segment(" \(appearance.glyphs.flapping)\(share)", appearance[.degraded]))
        }
        if let pending = state.pending {
            segments.append(Segment(" \(pending.streak)/\(pending.threshold)", appearance[.degraded]))
        }
        if !state.armed.isEmpty { segments.append(Segment(" \(appearance.glyphs.hook)", appearance[.accent])) }
        if state.isAcknowledged { segments.append(Segment(" \(appearance.glyphs.acknowledged)", appearance[.accent])) }
        if let blocker = state.blockedBy {
            segments.append(Segment("  \(blocker.precedence)", appearance[.faint]))
        } else if let fault = state.fault {
            segments.append(Segment("  \(appearance.glyphs.fault) \(fault.problem.rawValue)", appearance[.down]))
        } else if let acknowledgement = state.acknowledgement {
            // In a narrow column, the mark alone.
            let room = width - segments.displayWidth - 1
            let reason = acknowledgement.reason.truncated(toColumns: max(0, room), ellipsis: appearance.glyphs.ellipsis)
            if room >= 3 { segments.append(Segment(" \(reason)", appearance[.text])) }
        } else if let failure = state.failure {
            let room = width - segments.displayWidth - 2
            segments.append(Segment("  \(failure.text(fitting: room))", appearance[.faint]))
        } else if case .losses = state.judge.streak {
            segments.append(Segment("  timeout", appearance[.faint]))
        } else if let concern = state.lastReply?.concern {
            segments.append(Segment("  \(concern)", appearance[.faint]))
        } else if isSlow, let limit = state.target.thresholds.slow {
            segments.append(Segment("  > \(limit.roundTripText)", appearance[.faint]))
        } else if let detail = state.lastReply?.detail {
            segments.append(Segment("  \(detail)", appearance[.faint]))
        }
        if model.live.runningHooks[state.id] != nil {
            segments.append(Segment("  \(appearance.glyphs.hook) hook running", appearance[.accent]))
        }
        return segments
    }

    private var isSlow: Bool {
        guard let last = statistics.last, let limit = state.target.thresholds.slow else { return false }
        return last > limit
    }

    private var loss: [Segment] {
        guard !isPausedOrBlocked, let loss = statistics.loss else { return none }
        let role: Role = loss == 0 ? .faint : loss < 0.1 ? .degraded : .down
        return [Segment(loss.percentText, style(role, of: .loss))]
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

    /// The style of a figure: bold for a moment after it has changed.
    private func style(_ role: Role, of column: TableColumn) -> Style {
        var style = appearance[role]
        if model.highlights.contains(column, of: state.id) { style.attributes.insert(.bold) }
        return style
    }

    private var none: [Segment] {
        [Segment(String(appearance.glyphs.none), appearance[.faint])]
    }
}
