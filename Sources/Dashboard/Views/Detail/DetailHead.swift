import Monitoring
import Screen

/// Who the target is and how it is, in words: above all the rest, and never scrolled away.
///
/// ```
/// ◐ Shop   https://shop.example.com/health   Cloud   every 15s
/// degraded for 4m02s: 912ms over 500ms   1 of 3 losses to down   ⚑ armed: mount /mnt/nas
/// ```
struct DetailHead {
    let model: Model
    let standing: Standing
    /// The target at the time cursor, while that is in use.
    let sample: CursorSample?

    private var look: Look { model.look }

    func lines(width: Int) -> [[Segment]] {
        let target = standing.target
        let who = [
            [
                Segment("\(glyph) ", look[sample?.role(of: standing) ?? standing.role]),
                Segment(target.label, look[.title]),
            ],
            [Segment(url, look[.text])],
            target.group.map { [Segment($0, look[.faint])] },
            [Segment("every \(target.interval.settingsText)", look[.faint])],
        ]
        let how = sample.map { [state(at: $0)] } ?? ([state] + besides)
        return who.compactMap(\.self).flowing(width: width) + how.flowing(width: width)
    }

    private var glyph: Character {
        sample?.glyph(of: standing, glyphs: look.glyphs) ?? standing.glyph(look.glyphs)
    }

    /// How it was at the time cursor.
    private func state(at sample: CursorSample) -> [Segment] {
        let age = sample.age(of: standing).map { " for \($0.spanText)" } ?? ""
        return [
            Segment("at \(model.wall.timeOfDay(at: sample.time)) ", look[.accent]),
            Segment(sample.word(of: standing), look[sample.role(of: standing)]), Segment("\(age): ", look[.faint]),
            sample.value(slow: standing.target.thresholds.slow, look: look),
        ]
    }

    /// A command has no URL that says anything.
    private var url: String {
        if case .exec = standing.target.question { return "exec: \(standing.target.question.authority)" }
        return standing.target.question.url
    }

    /// The health, its age and its cause.
    private var state: [Segment] {
        let age = " for \((model.now - standing.since).spanText)"
        if standing.isPaused { return [Segment("paused", look[.waiting]), Segment(age, look[.faint])] }
        if standing.isBlocked, let blocker = standing.blockedBy {
            return [
                Segment(blocker.summary, look[.waiting]), Segment(age, look[.faint]),
                Segment("; was \(standing.health.rawValue) before", look[.faint]),
            ]
        }
        let word = Segment(standing.health.rawValue, look[standing.health.role])
        return [word, Segment(age, look[.faint])] + (cause.map { [Segment(": \($0)", look[.text])] } ?? [])
    }

    /// Why the target is not up, or what troubles it that is.
    private var cause: String? {
        if let failure = standing.failure { return failure.detail }
        if case .losses = standing.judge.streak { return "no answer" }
        if let concern = standing.lastReply?.concern { return concern }
        guard let limit = standing.target.thresholds.slow, let last = standing.statistics.last, last > limit else {
            return told
        }
        return "\(last.roundTripText) over \(limit.roundTripText)"
    }

    /// What its health came from, when the newest probe does not say it.
    private var told: String? {
        guard standing.health != .up else { return nil }
        let label = standing.target.label
        return model.log.entries.reversed().lazy.compactMap { entry -> Transition? in
            guard case .health(label, let transition) = entry.subject else { return nil }
            return transition
        }.first?.detail
    }

    /// What else there is to know, each by itself.
    private var besides: [[Segment]] {
        var facts: [[Segment]] = []
        if let pending = standing.pending {
            let what =
                switch pending.toward {
                case .down: "losses"
                case .degraded: "troubled replies"
                case .up, .unknown: "replies"
                }
            let text = "\(pending.streak) of \(pending.threshold) \(what) toward \(pending.toward.rawValue)"
            facts.append([Segment(text, look[.degraded])])
        }
        if standing.isFlapping {
            let text = "\(look.glyphs.flapping) \(RosterEvent.flappingSummary(true, share: standing.flappingShare))"
            facts.append([Segment(text, look[.degraded])])
        }
        if let blocker = standing.blockedBy, !standing.isBlocked, !standing.isPaused {
            facts.append([Segment("down \(blocker.precedence), not asked now", look[.waiting])])
        }
        if let fault = standing.fault {
            facts.append([Segment("\(look.glyphs.fault) cannot be asked: \(fault.detail)", look[.down])])
        }
        if let first = standing.armed.first {
            let others = standing.armed.count == 1 ? "" : " and \(standing.armed.count - 1) more"
            let text = "\(look.glyphs.hook) armed: \(first.action.description.truncated(toColumns: 40))\(others)"
            facts.append([Segment(text, look[.accent])])
        }
        if model.live.runningHooks[standing.id] != nil {
            facts.append([Segment("\(look.glyphs.hook) hook runs", look[.accent])])
        }
        return facts
    }
}
