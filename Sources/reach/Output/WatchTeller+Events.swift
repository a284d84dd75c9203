import Monitoring
import Reporting

extension WatchTeller {
    /// Tells of an event as objects, one for each target that it concerns.
    func tellObjects(of event: RosterEvent, _ roster: Roster) {
        let (now, wall, redaction) = (time.now, time.wall, redaction.current)
        for record in EventRecord.records(of: event, in: roster, at: now, wall: wall, redaction: redaction) {
            output.put(record.json)
        }
        if case .hookSkipped(let id, let rule, let drop) = event, let target = roster[id]?.target {
            let record = HookRecord(
                skipped: rule,
                of: target,
                because: drop,
                at: now,
                wall: wall,
                redaction: redaction
            )
            output.put(record.json)
        }
    }

    /// Tells of an event in words: a transition is data, all else a message.
    func tellWords(of event: RosterEvent, _ roster: Roster) {
        let say = { (id: Target.ID, words: String, time: Duration?) in
            guard let name = roster[id]?.target.label else { return }
            complain(name, words, at: time)
        }
        switch event {
        case .transition(let id, let transition):
            guard let target = roster[id]?.target else { return }
            let redaction = redaction.current
            let name = redaction.label(of: target)
            output.put(EventLine(transition, of: name, wall: time.wall, redaction: redaction).text)
        case .fault(let id, let fault):
            say(id, "cannot be asked: \(fault.summary)", nil)
        case .faultCleared(let id):
            say(id, "can be asked again", nil)
        case .addressChanged(let id, let old, let new):
            say(id, "has another address: \(new) (was \(old))", nil)
        case .session(let id, let state, let time):
            say(id, state.summary, time)
        case .blocked(let ids, let blocker, let time):
            let words = redaction.current.blocker(blocker).summary
            for id in ids { say(id, words, time) }
        case .unblocked(let ids, let time):
            for id in ids { say(id, RosterEvent.unblockedSummary, time) }
        case .flapping(let id, let isFlapping, let share, let time):
            say(id, RosterEvent.flappingSummary(isFlapping, share: share), time)
        case .stalled(let gap, let time):
            complain("reach", RosterEvent.stalledSummary(gap), at: time)
        case .hookSkipped(let id, let rule, let drop):
            say(id, "hook \(rule.action) did not run: \(drop.summary)", nil)
        case .armed(let id, let hook):
            say(id, "hook \(hook.action) is armed", nil)
        case .disarmed(_, let hook, let name, let drop):
            complain(name, "hook \(hook.action) did not run: \(drop.summary)")
        case .hooksMissing(let id):
            say(id, "has no hooks", nil)
        }
    }

    /// A message about a target, or about the program.
    func complain(_ name: String, _ words: String, at time: Duration? = nil) {
        guard !isQuiet else { return }
        let redaction = redaction.current
        let (name, words) = (redaction.label(name), redaction.text(words))
        complain(EventLine(at: time ?? self.time.now, name, words, wall: self.time.wall).text)
    }
}

extension HookReport {
    /// What became of a run, in words, and the last that a failed one said; nothing for a start.
    var lines: [String] {
        let words = "hook \(run.rule.action) \(summary)"
        switch self {
        case .started:
            return []
        case .retrying:
            return [words]
        case .finished(_, let result):
            let said = result.isSuccess ? nil : result.output.split(whereSeparator: \.isNewline).last
            return [words] + (said.map { ["hook said: \($0)"] } ?? [])
        case .dropped(_, let drop):
            return ["\(words): \(drop.summary)"]
        }
    }
}

extension HookRun {
    /// The target as it was when the hook fired, for one that the settings no longer have.
    var formerTarget: Target {
        Target(name: occasion.name, question: occasion.question, group: occasion.group)
    }
}
