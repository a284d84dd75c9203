import Monitoring

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
