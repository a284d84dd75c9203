import Monitoring
import Screen

/// The verdict of a target's vantage points as a text: `down from 2 of 3: fra, nyc for 3m10s; sin 12ms`.
struct VantageText {
    let state: TargetState
    let verdict: VantageVerdict
    let now: Duration

    /// Creates the text; nil for a target without vantage points.
    init?(_ state: TargetState, at now: Duration) {
        guard let verdict = state.vantageVerdict else { return nil }
        (self.state, self.verdict, self.now) = (state, verdict, now)
    }

    /// Returns the part after the health that fits a width, or the shortest; empty if there is no more to say.
    func rest(fitting columns: Int) -> String {
        if let cause = slowCause { return cause.rest(of: verdict.texts(at: now, since: state.judge.since), columns) }
        // While a change of health is pending, the vantage points are ahead of it.
        let isAhead = verdict.health != state.health
        let since = isAhead ? now : state.judge.since
        let start = isAhead ? "  \(verdict.health.rawValue)\(verdict.separator)" : verdict.separator
        let texts = verdict.texts(at: now, since: since).map { start + $0 }
        return texts.first { $0.displayWidth <= columns } ?? texts.last ?? ""
    }

    /// The round trip over the limit of a target that is degraded for it, though its vantage points see it up.
    private var slowCause: String? {
        guard state.health == .degraded, verdict.health == .up, let limit = state.target.thresholds.slow,
            let roundTrip = state.lastReply?.roundTrip, roundTrip > limit
        else { return nil }
        return "\(roundTrip.roundTripText) over \(limit.roundTripText)"
    }

    /// The role of the text.
    var role: Role {
        guard state.health == .up else { return state.role }
        return verdict.isDisputed ? .degraded : .faint
    }
}

extension String {
    /// The cause of a health, and the longest of the texts that fits after it.
    fileprivate func rest(of texts: [String], _ columns: Int) -> String {
        let forms = texts.map { "  \(self); \($0)" } + ["  \(self)"]
        return forms.first { $0.displayWidth <= columns } ?? forms[forms.count - 1]
    }
}
