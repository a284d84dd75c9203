import Monitoring
import Screen

/// What the columns of one target's line say.
struct TableRow {
    let standing: Standing
    let model: Model
    /// The columns that the methods take, so that what is asked stands below each other.
    let methodWidth: Int
    private let axis: TimeAxis
    /// The target at the time cursor, while that is in use.
    private let sample: CursorSample?
    private let statistics: Statistics
    private var look: Look { model.look }

    init(standing: Standing, model: Model, methodWidth: Int, axis: TimeAxis? = nil) {
        self.standing = standing
        self.model = model
        self.methodWidth = methodWidth
        // Without a chart, what the narrowest one would show.
        let axis = axis ?? TimeAxis(Sparkline.span, until: model.now, cells: Sparkline.widths[0])
        self.axis = axis
        sample = CursorSample(of: standing, in: model, along: axis)
        statistics = sample?.statistics ?? standing.statistics
    }

    var glyph: Character {
        sample?.glyph(of: standing, glyphs: look.glyphs) ?? standing.glyph(look.glyphs)
    }

    var role: Role {
        sample?.role(of: standing) ?? standing.role
    }

    /// Whether nothing is said of the target at the time that is shown.
    private var isOutOfUse: Bool {
        standing.isOutOfUse && sample.map { $0.state == .same } ?? true
    }

    func segments(of column: TableColumn, width: Int) -> [Segment] {
        switch column {
        case .name:
            [Segment(standing.target.label, look[standing.isOutOfUse ? .waiting : .text])]
        case .url:
            url
        case .health:
            sample.map { [Segment($0.word(of: standing), look[$0.role(of: standing)])] } ?? health(width: width)
        case .last:
            sample.map { [$0.value(slow: standing.target.thresholds.slow, look: look)] }
                ?? figure(isOutOfUse ? nil : statistics.last, isWarning: isSlow)
        case .p95:
            figure(isOutOfUse ? nil : statistics.percentile(95))
        case .jitter:
            figure(isOutOfUse ? nil : statistics.jitter, role: .faint)
        case .loss:
            loss
        case .chart:
            chart(width: width)
        case .since:
            age
        }
    }

    /// The sparkline, and in it the column that the time cursor has chosen.
    private func chart(width: Int) -> [Segment] {
        // The scale is that of the present, so that the time cursor moves nothing but itself.
        let figures = sample == nil ? statistics : standing.statistics
        let segments = Sparkline(standing, now: model.now, width: width)
            .segments(slow: standing.target.thresholds.slow, figures, look: look)
        guard let sample else { return segments }
        var cells = segments.cells
        let column = axis.column(of: sample.time)
        if cells.indices.contains(column) { cells[column] = cells[column].reversed }
        return cells
    }

    private var age: [Segment] {
        guard let sample else {
            return [Segment((model.now - standing.since).spanText, look[isOutOfUse ? .waiting : .text])]
        }
        guard let age = sample.age(of: standing) else { return none }
        return [Segment(age.spanText, look[sample.role(of: standing) == .waiting ? .waiting : .text])]
    }

    private var url: [Segment] {
        let question = standing.target.question
        return [
            Segment(question.method.rawValue.padded(toColumns: methodWidth), look[.faint]),
            Segment(question.authority, look[standing.isOutOfUse ? .waiting : .text]),
        ]
    }

    /// The health in a word, the streak that is about to change it, and the cause.
    private func health(width: Int) -> [Segment] {
        guard !standing.isPaused else { return [Segment("paused", look[.waiting])] }
        if standing.isBlocked, let blocker = standing.blockedBy {
            return [Segment(blocker.summary, look[.waiting])]
        }
        var segments = [Segment(standing.health.rawValue, look[standing.health.role])]
        if standing.isFlapping { segments.append(Segment(" \(look.glyphs.flapping)", look[.degraded])) }
        if let pending = standing.pending {
            segments.append(Segment(" \(pending.streak)/\(pending.threshold)", look[.degraded]))
        }
        if !standing.armed.isEmpty { segments.append(Segment(" \(look.glyphs.hook)", look[.accent])) }
        if let blocker = standing.blockedBy {
            segments.append(Segment("  \(blocker.precedence)", look[.faint]))
        } else if let fault = standing.fault {
            segments.append(Segment("  \(look.glyphs.fault) \(fault.problem.rawValue)", look[.down]))
        } else if let failure = standing.failure {
            let room = width - segments.displayWidth - 2
            segments.append(Segment("  \(failure.words(in: room))", look[.faint]))
        } else if case .losses = standing.judge.streak {
            let room = width - segments.displayWidth - 2
            segments.append(Segment(room < 9 ? "  timeout" : "  no answer", look[.faint]))
        } else if let concern = standing.lastReply?.concern {
            segments.append(Segment("  \(concern)", look[.faint]))
        } else if isSlow, let limit = standing.target.thresholds.slow {
            segments.append(Segment("  > \(limit.roundTripText)", look[.faint]))
        } else if let detail = standing.lastReply?.detail {
            segments.append(Segment("  \(detail)", look[.faint]))
        }
        if model.live.runningHooks[standing.id] != nil {
            segments.append(Segment("  \(look.glyphs.hook) hook runs", look[.accent]))
        }
        return segments
    }

    private var isSlow: Bool {
        guard let last = statistics.last, let limit = standing.target.thresholds.slow else { return false }
        return last > limit
    }

    private var loss: [Segment] {
        guard !isOutOfUse, let loss = statistics.loss else { return none }
        let role: Role = loss == 0 ? .faint : loss < 0.1 ? .degraded : .down
        return [Segment(loss.percentText, look[role])]
    }

    private func figure(_ roundTrip: Duration?, role: Role = .text, isWarning: Bool = false) -> [Segment] {
        guard let roundTrip else { return none }
        return [Segment(roundTrip.roundTripText, look[isWarning ? .degraded : role])]
    }

    private var none: [Segment] {
        [Segment(String(look.glyphs.none), look[.faint])]
    }
}
