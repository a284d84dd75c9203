import Monitoring
import Screen

/// What the columns of one target's line say.
struct TableRow {
    let standing: Standing
    let model: Model
    /// The columns that the methods take, so that what is asked stands below each other.
    let methodWidth: Int
    private let statistics: Statistics
    private var look: Look { model.look }

    init(standing: Standing, model: Model, methodWidth: Int) {
        self.standing = standing
        self.model = model
        self.methodWidth = methodWidth
        statistics = standing.statistics
    }

    func segments(of column: TableColumn, width: Int) -> [Segment] {
        switch column {
        case .name:
            [Segment(standing.target.label, look[standing.isOutOfUse ? .waiting : .text])]
        case .url:
            url
        case .health:
            health(width: width)
        case .last:
            figure(standing.isOutOfUse ? nil : statistics.last, isWarning: isSlow)
        case .p95:
            figure(standing.isOutOfUse ? nil : statistics.percentile(95))
        case .jitter:
            figure(standing.isOutOfUse ? nil : statistics.jitter, role: .faint)
        case .loss:
            loss
        case .chart:
            Sparkline(standing, now: model.now, width: width).segments(standing, look: look)
        case .since:
            [Segment((model.now - standing.since).spanText, look[standing.isOutOfUse ? .waiting : .text])]
        }
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
        } else if let detail = standing.lastReply?.concern ?? standing.lastReply?.detail {
            segments.append(Segment("  \(detail)", look[.faint]))
        } else if isSlow, let limit = standing.target.thresholds.slow {
            segments.append(Segment("  > \(limit.roundTripText)", look[.faint]))
        }
        if model.runningHooks[standing.id] != nil {
            segments.append(Segment("  \(look.glyphs.hook) hook runs", look[.accent]))
        }
        return segments
    }

    private var isSlow: Bool {
        guard let last = statistics.last, let limit = standing.target.thresholds.slow else { return false }
        return last > limit
    }

    private var loss: [Segment] {
        guard !standing.isOutOfUse, let loss = statistics.loss else { return none }
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
