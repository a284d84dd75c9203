import Monitoring

/// Plays a story that is written down, and writes it down again with what the roster makes of it.
///
/// A story is a text of blocks. What begins with a word is told to the roster; what is indented is what follows:
///
/// ```
/// # A switch and what is behind it fail together.
/// target Switch
/// target NAS depends_on=Switch hook=down
/// Switch  r r x x x
/// NAS     r x x x
///   1s  Switch unknown→up
///   ...
/// ```
///
/// * `target NAME key=value…` has a target watched: `interval timeout retry_interval down_interval fall rise slow lossy flapping
///   depends_on hook method group cooldown within min_down`; `hook` takes an event, or several with `+`, and `.start`, `.once` after it.
/// * `NAME r x …` in lines one below the other are outcomes of the same seconds, told from top to bottom: the letters of
///   ``Monitoring/Outcome/picture(_:)``, and `.` for a second in which nothing is heard. A blank line, or a name for the
///   second time, begins with the next second.
/// * `step 30s`: from now on, the letters are not a second apart but so long.
/// * `outcome NAME t 1s` is an outcome, now, of a probe that was sent so long ago.
/// * `wait 10s`, `pause NAME`, `resume NAME`, `reset NAME`, `stall 61s` (the program did not run for so long), `link up`
///   and `link down`, `address NAME OLD NEW`.
/// * `succeed` and `fail` (the last hook run did), `drop obsolete` (it did not run), `arm NAME… 10s` (without a limit where
///   none is given), `disarm NAME` (its first one), `test NAME`.
/// * `reload`, and target lines, are new settings.
/// * `show NAME` writes down how the target stands; `requests` has what is asked of the prober written down too.
public struct StoryPlayer {
    var story = Story()
    private var targets: [Target] = []
    private var isWatching = false
    private var showsRequests = false
    private var step = Duration.seconds(1)
    private var lines: [String] = []

    /// What a text was made of, and what playing it made of it.
    public static func play(_ text: String) throws -> String {
        var player = StoryPlayer()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var lanes: [(name: String, letters: [Character])] = []
        for line in lines where !line.hasPrefix(" ") {
            let words = line.split(separator: " ").map(String.init)
            if let name = words.first, player.isName(name), !line.hasPrefix("#") {
                player.watch()
                if lanes.contains(where: { $0.name == name }) {
                    player.hear(lanes)
                    lanes = []
                }
                player.lines.append(line)
                lanes.append((name, Array(words.dropFirst().joined())))
                continue
            }
            player.hear(lanes)
            lanes = []
            // A blank line or a remark stands before what it belongs to.
            player.lines.append(line)
            if !words.isEmpty, !line.hasPrefix("#") { try player.perform(words) }
        }
        player.hear(lanes)
        player.watch()
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
            watch()
            (targets, isWatching) = ([], false)
        case ("requests", nil):
            showsRequests = true
        default:
            watch()
            try act(words[0], arguments)
        }
    }

    private mutating func act(_ verb: String, _ arguments: [String]) throws {
        let ids = arguments.compactMap { story[$0]?.id }
        switch (verb, arguments.first) {
        case ("outcome", _?) where arguments.count == 3:
            let sent = story.now - (try StoryProblem.duration(arguments[2]))
            for outcome in Outcome.picture(arguments[1]) {
                guard let consequences = story.consequences(of: outcome, from: arguments[0], sent: sent) else {
                    continue
                }
                write(consequences)
            }
        case ("step", let span?):
            step = try StoryProblem.duration(span)
        case ("wait", let span?):
            story.wait(try StoryProblem.duration(span))
            write(story.roster.expire(at: story.now))
        case ("pause", _?):
            write(story.roster.pause(ids, at: story.now))
        case ("resume", _?):
            write(story.roster.resume(ids, at: story.now))
        case ("reset", _?):
            story.roster.reset(ids, at: story.now)
        case ("stall", let span?):
            let gap = try StoryProblem.duration(span)
            story.wait(gap)
            write(story.roster.record([.stalled(gap: gap, at: story.now)]))
        case ("link", let state?):
            write(story.roster.record([.link(isUp: state == "up", at: story.now)]))
        case ("address", _?) where arguments.count == 3 && ids.count == 1:
            write(story.roster.record([.addressChanged(ids[0], from: arguments[1], to: arguments[2], at: story.now)]))
        case ("show", let name?):
            guard let standing = story[name] else { throw StoryProblem("no target is called \(name)") }
            lines.append("  \(standing.storyText(at: story.now))")
        default:
            try actOnHooks(verb, arguments)
        }
    }

    /// Hands the targets over, before the first thing that happens to them.
    private mutating func watch() {
        guard !isWatching else { return }
        isWatching = true
        let isFirst = story.roster.standings.isEmpty
        let consequences = story.roster.apply(Settings(targets: targets), at: story.now)
        if isFirst { story.take(consequences) } else { write(consequences) }
    }

    private mutating func hear(_ lanes: [(name: String, letters: [Character])]) {
        for second in 0..<(lanes.map(\.letters.count).max() ?? 0) {
            story.wait(step)
            for lane in lanes where second < lane.letters.count && lane.letters[second] != "." {
                for outcome in Outcome.picture(String(lane.letters[second])) {
                    if let consequences = story.consequences(of: outcome, from: lane.name) { write(consequences) }
                }
            }
        }
    }

    mutating func write(_ consequences: Consequences) {
        story.take(consequences)
        var texts = consequences.events.map { $0.storyText(in: story.roster) }
        texts += consequences.runs.map { run in
            let change = run.occasion.transition.map { " (\($0.from.rawValue)→\($0.to.rawValue))" } ?? ""
            let hook = run.armed == nil ? "hook" : "armed hook"
            return "\(hook) \(run.occasion.event.rawValue) of \(run.occasion.name)\(change)"
        }
        if showsRequests { texts += consequences.requests.map { $0.storyText(in: story.roster) } }
        lines += texts.map { "  \(story.now.spanText)  \($0)" }
    }
}
