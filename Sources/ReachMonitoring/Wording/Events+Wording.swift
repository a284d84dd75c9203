extension Transition {
    /// The transition as the rest of a sentence that begins with the target's name: `down after 3 losses: refused`, `up
    /// after 41s`, `degraded: 912ms over 500ms`.
    public var summary: String {
        switch (to, cause) {
        case (.down, .losses(_, let failure?)) where failure.reason == .quorum:
            "down \(failure.detail)"
        case (.unknown, .faults(_, let fault)) where fault.problem == .notReporting:
            "unknown: \(fault.detail)"
        case (.down, .losses(let count, _)):
            "down after \(count) \(count == 1 ? "loss" : "losses"): \(detail ?? "")"
        case (.unknown, .faults(let count, let fault)):
            "unknown after \(count) \(count == 1 ? "fault" : "faults"): \(fault.detail)"
        default:
            Self.summary(from: from, to: to, after: lasted, detail: detail)
        }
    }

    /// A change of health without the number of its probes, which the history does not store.
    ///
    /// - Parameter lasted: how long the health before lasted; nil if that is not known.
    static func summary(from: Health?, to: Health, after lasted: Duration?, detail: String?) -> String {
        if from == .degraded, to == .up { return "up again" }
        let outage = from == .down && to.isReachable ? lasted : nil
        return to.rawValue + (outage.map { " after \($0.outageText)" } ?? "") + (detail.map { ": \($0)" } ?? "")
    }

    /// Why the target is down, degraded or cannot be probed; nil when it is up.
    public var detail: String? {
        switch cause {
        case .replies: nil
        case .losses(_, let failure):
            Self.lossDetail(failure, lateRoundTrip: lateRoundTrip)
                + (path.map { ", \($0.outageText(after: failure))" } ?? "")
        case .faults(_, let fault): fault.detail
        case .slow(let roundTrip, let limit): Self.slowDetail(of: roundTrip, over: limit)
        case .concern(let concern): concern
        case .lossy(let loss, let limit): Self.lossyDetail(of: loss, over: limit)
        }
    }

    /// The lines that show why the target is down: the response of the server, and its certificate; nil without either.
    package var evidence: String? {
        guard to == .down else { return nil }
        let certificate = certificate.map { certificate in
            let end = certificateExpiry.map {
                ", until \(WallTime(start: .zero).timestamp(at: .seconds($0)).prefix(10))"
            }
            return "certificate \(certificate.name), issued by \(certificate.issuer ?? "itself")\(end ?? "")"
        }
        let lines = [failure?.response, certificate].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Why probes are lost: the failure, or the timeout.
    ///
    /// - Parameter lateRoundTrip: the round trip of replies after the timeout; nil without any.
    static func lossDetail(_ failure: Failure?, lateRoundTrip: Duration?) -> String {
        guard let failure else { return lateRoundTrip.map(lateDetail) ?? "timeout" }
        return failure.detail
    }

    /// The text for timeouts whose replies come late.
    package static func lateDetail(of roundTrip: Duration) -> String {
        "timeout, answers after \(roundTrip.roundTripText): raise timeout"
    }

    /// The text for round trips over their limit.
    package static func slowDetail(of roundTrip: Duration, over limit: Duration) -> String {
        "\(roundTrip.roundTripText) over \(limit.roundTripText)"
    }

    /// The text for a loss rate over its limit.
    package static func lossyDetail(of loss: Double, over limit: Double) -> String {
        "\(loss.percentText) loss over \(limit.percentText)"
    }

    /// The health before, where the summary does not include it: `was up 3h02m`. One of less than a second is left out: it says
    /// nothing, and probes overlap, so that the first loss of an outage may have been sent before the last reply.
    public var before: String? {
        guard from != .unknown, from != .down || to != .up, lasted >= .seconds(1) else { return nil }
        return "was \(from.rawValue) \(lasted.outageText)"
    }
}

extension Double {
    /// A share, 0…1, as a whole percentage. Only zero is 0%, and only one is 100%. Another number is limited to that.
    public var percentText: String {
        guard self > 0 else { return "0%" }
        guard self < 1 else { return "100%" }
        if self < 0.01 { return "<1%" }
        if self > 0.99 { return "99%" }
        return "\(Int((self * 100).rounded()))%"
    }
}

extension Observation {
    /// The outcome as the rest of a sentence that begins with the target's name: `reply in 812µs`, `reply in 12.345ms`.
    public var summary: String {
        switch outcome {
        case .reply(let reply):
            let took =
                reply.roundTrip.map { roundTrip in
                    let isShort = roundTrip < .microseconds(1_000)
                    let text = isShort ? roundTrip.roundTripText : "\(roundTrip.decimal(.milliseconds(1), places: 3))ms"
                    return "reply in \(text)"
                } ?? "reply"
            return (reply.concern ?? reply.detail).map { "\(took): \($0)" } ?? took
        case .timeout, .failure: return outcome.detail
        case .fault(let fault): return RosterEvent.faultSummary(fault.detail)
        }
    }
}

extension SessionState {
    /// The state as the rest of a sentence that begins with the target's name: `session failed: reset`.
    public var summary: String {
        switch self {
        case .setup: "session not tried yet"
        case .preparing: "session preparing"
        case .waiting: "session waiting: no route"
        case .ready: "session ready"
        case .failed(let outcome): "session failed: \(outcome.detail)"
        case .cancelled: "session cancelled"
        }
    }
}

extension Outcome {
    /// Why there is no proper reply, for display: `timeout`, `refused`; `reply` if there is one.
    public var detail: String {
        switch self {
        case .reply: "reply"
        case .timeout: "timeout"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.detail
        }
    }
}

/// The words of an event, which the screen, `watch`, its log and the history share.
extension RosterEvent {
    /// The event as the rest of a sentence that begins with the name of a target, or of the program.
    package var summary: String { summary { "\($0)" } }

    /// The same with hooks as a function writes them.
    package func summary(ofHook text: (HookAction) -> String) -> String {
        switch kind {
        case .transition(let transition): transition.summary
        case .fault(let fault): Self.faultSummary(fault.summary)
        case .faultCleared: Self.faultClearedSummary
        case .addressChanged(_, let new): Self.addressSummary(new)
        case .path(let news): news.summary
        case .cause(let news): news.summary
        case .shift(let news): news.summary
        case .session(let state): state.summary
        case .hookSkipped(let rule, _): "hook \(text(rule.action)) \(HookDrop.summary())"
        case .armed(let hook): "hook \(text(hook.action)) is armed"
        case .disarmed(let hook, _, _): "hook \(text(hook.action)) \(HookDrop.summary())"
        case .hooksMissing: "has no hooks"
        case .blocked(let blocker): blocker.summary
        case .unblocked: Self.unblockedSummary
        case .paused: Self.pausedSummary
        case .resumed: Self.resumedSummary
        case .flapping(true, _): Self.flappingSummary
        case .flapping(false, _): Self.flappingEndedSummary
        case .acknowledged(let acknowledgement): acknowledgement.summary
        case .acknowledgementEnded(let end): end.summary
        case .maintenance(let name, let end): Self.maintenanceSummary("for \((end - time).spanText)", name)
        case .maintenanceEnded: Self.maintenanceEndedSummary
        case .scheduleMissed(let share): Self.scheduleMissedSummary(share: share)
        case .scheduleKept: "keeps the schedule again"
        case .stalled(let gap): Self.stalledSummary(gap)
        }
    }

    /// What the screen shows after the summary: `was 192.0.2.7`.
    package var note: String? {
        switch kind {
        case .transition(let transition): transition.before
        case .addressChanged(let old, _): "was \(old)"
        case .path(let news): news.note
        case .shift(let news): news.note
        case .hookSkipped(_, let drop), .disarmed(_, _, let drop): drop.summary
        case .armed(let hook): hook.within.map { "for \($0.settingsText)" }
        default: nil
        }
    }
}

extension RosterEvent {
    package static func faultSummary(_ fault: String) -> String { "cannot be probed: \(fault)" }
    static let faultClearedSummary = "can be probed again"
    static func addressSummary(_ address: String) -> String { "has another address: \(address)" }
    static let unblockedSummary = "no longer blocked"
    static let pausedSummary = "paused"
    static let resumedSummary = "resumed"
    package static let flappingEndedSummary = "stable again"
    static let maintenanceEndedSummary = "maintenance ended"

    static func maintenanceSummary(_ text: String, _ name: String?) -> String {
        "maintenance \(text)\(name.map { ": \($0)" } ?? "")"
    }

    /// The event when a target begins to flap.
    package static let flappingSummary = "changes too often: its reports wait until it is stable"

    /// The event when too many probes are late or skipped, with their share, 0…1.
    package static func scheduleMissedSummary(share: Double) -> String {
        "cannot keep the schedule: \(share.percentText) of the probes are late or skipped – longer intervals, or shards"
    }

    /// The event after the program did not run for a while.
    static func stalledSummary(_ gap: Duration) -> String {
        "not running for \(gap.spanText): probes of that time are ignored"
    }
}

extension HistoryEvent {
    /// The event as the rest of a sentence that begins with the target's name.
    package var summary: String {
        let text = detail ?? reason
        switch kind {
        case .transition:
            let detail = to == .down ? text ?? "timeout" : text
            return Transition.summary(from: from, to: to ?? .unknown, after: length, detail: detail)
        case .paused: return RosterEvent.pausedSummary
        case .resumed: return RosterEvent.resumedSummary
        case .blocked: return Blocker.target(text ?? "a dependency").summary
        case .unblocked: return RosterEvent.unblockedSummary
        case .added: return "added to the settings"
        case .removed: return "removed from the settings"
        case .acknowledged: return Acknowledgement(reason: text ?? "", since: .zero, length: length).summary
        case .acknowledgementEnded: return text ?? "acknowledgement ended"
        case .address: return RosterEvent.addressSummary(text ?? "")
        case .path: return text ?? "path"
        case .traced: return "path: \(text ?? "")"
        case .cause: return "has a common cause: \(text ?? "")"
        case .commonCause: return text ?? "common cause"
        case .shift: return StoredShift(self)?.words ?? reason ?? "shift"
        case .hook: return "hook \(text ?? "")"
        case .flapping: return RosterEvent.flappingSummary
        case .flappingEnded: return RosterEvent.flappingEndedSummary
        case .maintenance: return RosterEvent.maintenanceSummary("begins", text)
        case .maintenanceEnded: return RosterEvent.maintenanceEndedSummary
        case .fault: return RosterEvent.faultSummary(text ?? "")
        case .faultCleared: return RosterEvent.faultClearedSummary
        case .stalled: return RosterEvent.stalledSummary(length ?? .zero)
        case .clock: return "the clock was set by \((length ?? .zero).inSeconds) s"
        }
    }
}

extension HookDrop {
    /// What a drop means, as the rest of a sentence that begins with the hook.
    package static func summary(attempt: Int = 1) -> String {
        attempt == 1 ? "did not run" : "is not retried"
    }

    /// Why the run was dropped, as part of a sentence.
    public var summary: String {
        switch self {
        case .coolingDown(let left): "cooling down for another \(left.spanText)"
        case .expired(let within): "not reachable within \(within.settingsText)"
        case .tooShort(let outage, let minDown):
            "down for \(outage.elapsedText), less than min_down \(minDown.settingsText)"
        case .acknowledged: "the target is acknowledged"
        case .cellular: "the route is a mobile network"
        case .obsolete: "obsolete: the target changed again while it waited"
        case .alreadyQueued: "already queued"
        case .quitting: "the program is quitting"
        case .alreadySucceeded: "runs once and has succeeded"
        case .disarmed: "disarmed"
        case .targetGone: "target removed from the settings"
        }
    }
}

extension HookResult {
    /// How the run ended, as the rest of a sentence: `exited 0 in 1.2s`.
    public var summary: String {
        let took = "in \(duration.elapsedText)"
        return switch status {
        case .exited(let code): "exited \(code) \(took)"
        case .signalled(let signal): "was killed by signal \(signal) \(took)"
        case .timedOut: "timed out after \(duration.elapsedText)"
        case .cancelled: "was cancelled after \(duration.elapsedText)"
        case .notStarted(let reason): "did not start: \(reason)"
        case .answered(let status): "was answered with HTTP \(status) \(took)"
        case .unanswered(let failure): "was not answered: \(failure.detail)"
        }
    }

    /// Whether a text begins as a ``summary`` does.
    static func isSummary(_ text: some StringProtocol) -> Bool {
        [
            "exited ", "was killed by ", "timed out ", "was cancelled ", "did not start: ", "was answered ",
            "was not answered: ",
        ]
        .contains { text.hasPrefix($0) }
    }
}

extension HookReport {
    /// The progress of the run, as the rest of a sentence that begins with the hook: `exited 0 in 1.2s`.
    public var summary: String {
        switch self {
        case .started(let run): run.attempt == 1 ? "started" : "started, \(run.attemptText)"
        case .finished(let run, let result):
            run.attempt == 1 ? result.summary : "\(result.summary), \(run.attemptText)"
        case .retrying(let run, let pause): "is retried in \(pause.elapsedText), \(run.attemptText)"
        case .dropped(let run, _): HookDrop.summary(attempt: run.attempt)
        }
    }

    /// The progress of the run as a sentence, with the hook as a function writes it.
    package func sentence(ofHook text: (HookAction) -> String = { "\($0)" }) -> String {
        "hook \(text(run.rule.action)) \(summary)"
    }
}

extension HookAction {
    /// Whether the detail of a stored hook run is about this action.
    ///
    /// - Parameter text: the description of the action without secrets.
    package static func isAction(_ text: String, of detail: String) -> Bool {
        detail.hasPrefix(text + " ") && HookResult.isSummary(detail.dropFirst(text.count + 1))
    }
}

extension HookRun {
    /// The number of the attempt, and the most attempts of the run: `attempt 2 of 4`.
    fileprivate var attemptText: String {
        "attempt \(attempt) of \(rule.retries + 1)"
    }
}
