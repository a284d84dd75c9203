public import ReachMonitoring

/// Plays a story, and writes the roster's events into it.
///
/// A story is a text of blocks. Lines without indentation are inputs to the roster; indented lines are the events that
/// follow:
///
/// ```
/// # A switch and its child fail together.
/// target Switch
/// target NAS depends_on=Switch hook=down
/// Switch  r r x x x
/// NAS     r x x x
///   1s  Switch unknown→up
///   ...
/// ```
///
/// * `target NAME key=value…` defines a target, with the keys `interval timeout retry_interval down_interval fall rise
///   slow lossy flapping depends_on hook method group cooldown within min_down`. `hook` takes an event, or several with
///   `+`, and the suffixes `.start`, `.once`, `.unless_acknowledged` and `.while_flapping`.
/// * `NAME r x …` records outcomes, a second for each letter: the letters of ``ReachMonitoring/Outcome/picture(_:)``, and
///   `.` for a second without a finding. Adjacent lines are outcomes of the same seconds, recorded from top to bottom.
///   A blank line, or the same name again, starts with the next second.
/// * `step 30s` sets the time between letters from now on.
/// * `outcome NAME t 1s` records an outcome at the current time, of a probe that was sent this long ago.
/// * `wait 10s`, `pause NAME`, `resume NAME`, `reset NAME`, `stall 61s` (the program did not run for this long), `link
///   up` and `link down`, `address NAME OLD NEW`.
/// * `succeed` and `fail` end the last hook run, `drop obsolete` drops it. `arm NAME… 10s` arms a hook, without a limit
///   by default, `disarm NAME` disarms the first one, `test NAME` tests the rules.
/// * `acknowledge NAME… 10s` acknowledges failures, without a limit by default; `unacknowledge NAME…` removes that.
/// * `target NAME quorum=majority stale_after=1m` defines a target of the fleet; `report`, `reporting` and `verdict` are
///   described at ``reportOn(_:_:)``.
/// * `reload`, followed by target lines, applies new settings.
/// * `show NAME` prints the state of the target; `requests` prints the requests to the prober too.
public struct StoryPlayer {
    var story = Story()
    private var targets: [Target] = []
    private var hasAppliedSettings = false
    private var showsRequests = false
    private var step = Duration.seconds(1)
    private var lines: [String] = []
    /// Called after each input.
    private var observe: (Story) -> Void = { _ in }

    /// Returns the text of a story with the actual events.
    ///
    /// - Parameter observe: called after each input.
    public static func play(_ text: String, observe: @escaping (Story) -> Void = { _ in }) throws -> String {
        var player = StoryPlayer()
        player.observe = observe
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var lanes: [(name: String, letters: [Character])] = []
        for line in lines where !line.hasPrefix(" ") {
            let words = line.split(separator: " ").map(String.init)
            if let name = words.first, player.isName(name), !line.hasPrefix("#") {
                player.applySettings()
                if lanes.contains(where: { $0.name == name }) {
                    player.record(lanes)
                    lanes = []
                }
                player.lines.append(line)
                lanes.append((name, Array(words.dropFirst().joined())))
                continue
            }
            player.record(lanes)
            lanes = []
            // A blank line or a comment belongs to the line after it.
            player.lines.append(line)
            if !words.isEmpty, !line.hasPrefix("#") { try player.perform(words) }
        }
        player.record(lanes)
        player.applySettings()
        return player.lines.joined(separator: "\n")
    }

    private func isName(_ word: String) -> Bool {
        targets.contains { $0.name == word }
    }

    private mutating func perform(_ words: [String]) throws {
        let arguments = Array(words.dropFirst())
        switch (words[0], arguments.first) {
        case ("target", _?):
            targets.append(try StoryTarget(arguments).target)
        case ("reload", nil):
            applySettings()
            (targets, hasAppliedSettings) = ([], false)
        case ("requests", nil):
            showsRequests = true
        default:
            applySettings()
            try act(words[0], arguments)
            observe(story)
        }
    }

    private mutating func act(_ verb: String, _ arguments: [String]) throws {
        let ids = arguments.compactMap { story[$0]?.id }
        switch (verb, arguments.first) {
        case ("outcome", _?) where arguments.count == 3:
            let sent = story.now - (try StoryError.duration(arguments[2]))
            for outcome in Outcome.picture(arguments[1]) {
                guard let consequences = story.consequences(of: outcome, from: arguments[0], sent: sent) else {
                    continue
                }
                write(consequences)
            }
        case ("step", let span?):
            step = try StoryError.duration(span)
        case ("wait", let span?):
            story.wait(try StoryError.duration(span))
            write(story.roster.expire(at: story.now))
        case ("pause", _?):
            write(story.roster.pause(ids, at: story.now))
        case ("resume", _?):
            write(story.roster.resume(ids, at: story.now))
        case ("acknowledge", _?):
            let length = arguments.count > ids.count ? try StoryError.duration(arguments[ids.count]) : nil
            write(story.roster.acknowledge(ids, reason: "known", for: length, at: story.now))
        case ("unacknowledge", _?):
            write(story.roster.removeAcknowledgements(of: ids, at: story.now))
        case ("reset", _?):
            story.roster.reset(ids, at: story.now)
        case ("stall", let span?):
            let gap = try StoryError.duration(span)
            story.wait(gap)
            write(story.roster.record([.stalled(gap: gap, at: story.now)]))
        case ("link", let state?):
            write(story.roster.record([.link(isUp: state == "up", at: story.now)]))
        case ("address", _?) where arguments.count == 3 && ids.count == 1:
            write(story.roster.record([.addressChanged(ids[0], from: arguments[1], to: arguments[2], at: story.now)]))
        case ("show", let name?):
            guard let state = story[name] else { throw StoryError("unknown target \(name)") }
            lines.append("  \(state.storyText(at: story.now))")
        case ("report", _?), ("reporting", _?):
            write(try reportOn(verb, arguments))
        case ("verdict", let name?):
            lines.append("  \(try verdict(of: name))")
        default:
            try actOnHooks(verb, arguments)
        }
    }

    /// Applies the settings, before the first input.
    private mutating func applySettings() {
        guard !hasAppliedSettings else { return }
        hasAppliedSettings = true
        let isFirst = story.roster.states.isEmpty
        let consequences = story.roster.apply(Settings(targets: targets), at: story.now)
        if isFirst { story.take(consequences) } else { write(consequences) }
        observe(story)
    }

    private mutating func record(_ lanes: [(name: String, letters: [Character])]) {
        for second in 0..<(lanes.map(\.letters.count).max() ?? 0) {
            story.wait(step)
            for lane in lanes where second < lane.letters.count && lane.letters[second] != "." {
                for outcome in Outcome.picture(String(lane.letters[second])) {
                    if let consequences = story.consequences(of: outcome, from: lane.name) { write(consequences) }
                }
            }
            observe(story)
        }
    }

    mutating func write(_ consequences: Consequences) {
        story.take(consequences)
        // The inputs that pause and resume targets are in the story.
        let events = consequences.events.filter { event in
            switch event.kind {
            case .paused, .resumed: false
            default: true
            }
        }
        var texts = events.map { $0.storyText(in: story.roster) }
        texts += consequences.runs.map { run in
            let change = run.context.transition.map { " (\($0.from.rawValue)→\($0.to.rawValue))" } ?? ""
            let hook = run.armed == nil ? "hook" : "armed hook"
            return "\(hook) \(run.context.event.rawValue) of \(run.context.name)\(change)"
        }
        if showsRequests { texts += consequences.requests.map { $0.storyText(in: story.roster) } }
        lines += texts.map { "  \(story.now.spanText)  \($0)" }
    }
}

extension StoryPlayer {
    /// Performs a command about hooks: the end of a run, or an action of the user.
    mutating func actOnHooks(_ verb: String, _ arguments: [String]) throws {
        let ids = arguments.compactMap { story[$0]?.id }
        switch (verb, ids.first) {
        case ("succeed", nil):
            story.end(try lastRun, .exited(0))
        case ("fail", nil):
            story.end(try lastRun, .exited(1))
        case ("drop", nil) where arguments == ["obsolete"]:
            story.roster.record(.dropped(try lastRun, .obsolete))
        case ("arm", _?):
            let within = arguments.count > ids.count ? try StoryError.duration(arguments[ids.count]) : nil
            write(story.roster.arm(ids, action: .shell("mount"), within: within, at: story.now))
        case ("disarm", let id?):
            guard let hook = story.roster[id]?.armed.first else { throw StoryError("no hook is armed") }
            write(story.roster.disarm(hook.id, at: story.now))
        case ("test", let id?):
            write(story.roster.test(id, at: story.now))
        default:
            throw StoryError("unknown command: \(([verb] + arguments).joined(separator: " "))")
        }
    }

    private var lastRun: HookRun {
        get throws {
            guard let run = story.runs.last else { throw StoryError("no hook has run") }
            return run
        }
    }
}

/// An error in a story.
public struct StoryError: Error, CustomStringConvertible {
    /// The problem.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else { throw StoryError("invalid duration \(text)") }
        return duration
    }
}

extension StoryPlayer {
    /// Performs a command about vantage points.
    ///
    /// * `report NAME fra=12ms nyc=down:refused sin=degraded:900ms syd=unknown gru=gone` records reports at the current
    ///   time; `report NAME 30s fra=up` those of samples that are this old.
    /// * `reporting fra nyc` says that all that these said holds still.
    mutating func reportOn(_ verb: String, _ arguments: [String]) throws -> Consequences {
        guard verb == "report" else {
            return story.roster.record([.vantagePointsReporting(arguments, at: story.now)])
        }
        guard let id = arguments.first.flatMap({ story[$0]?.id }) else { throw StoryError("unknown target") }
        let age = arguments.dropFirst().first.flatMap { Duration(text: $0) }
        let reports = try arguments.dropFirst(age == nil ? 1 : 2).map { text in
            try VantageReport(story: text, time: story.now - (age ?? .zero))
        }
        return story.roster.record([.vantageReports(id, reports, at: story.now)])
    }

    /// The verdict of a target as a sentence, its round trip, and whether it is disputed.
    func verdict(of name: String) throws -> String {
        guard let state = story[name] else { throw StoryError("unknown target \(name)") }
        guard let verdict = state.vantageVerdict else { return "\(name): \(state.health.rawValue), no reports" }
        let sentence = verdict.sentence(at: story.now, since: state.judge.since)
        let figure = verdict.roundTrip.map { " (\($0.roundTripText))" } ?? ""
        return "\(name): \(sentence)\(figure)\(verdict.isDisputed ? ", disputed" : "")"
    }
}

extension VantageReport {
    /// Creates a report from its text in a story: `NAME=HEALTH:DETAIL`, where a round trip stands for up.
    public init(story text: String, time: Duration) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw StoryError("not NAME=HEALTH: \(text)") }
        let values = parts[1].split(separator: ":", maxSplits: 1).map(String.init)
        let roundTrip = values.lazy.compactMap { Duration(text: $0) }.first
        let health = roundTrip != nil && values.count == 1 ? Health.up : Health(rawValue: values[0])
        guard health != nil || values[0] == "gone" else { throw StoryError("unknown health in \(text)") }
        self.init(
            vantagePoint: parts[0],
            health: health,
            roundTrip: roundTrip,
            detail: values.count == 2 && roundTrip == nil ? values[1].replacing("_", with: " ") : nil,
            sampled: .seconds(1_795_183_351) + time,
            time: time
        )
    }
}
