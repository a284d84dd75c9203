import Monitoring

extension StoryPlayer {
    /// Does what a story tells of hooks: their ends, and what the user does with them.
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
            let within = arguments.count > ids.count ? try StoryProblem.duration(arguments[ids.count]) : nil
            write(story.roster.arm(ids, action: .shell("mount"), within: within, at: story.now))
        case ("disarm", let id?):
            guard let hook = story.roster[id]?.armed.first else { throw StoryProblem("nothing is armed") }
            write(story.roster.disarm(hook.id))
        case ("test", let id?):
            write(story.roster.test(id, at: story.now))
        default:
            throw StoryProblem("cannot be played: \(([verb] + arguments).joined(separator: " "))")
        }
    }

    private var lastRun: HookRun {
        get throws {
            guard let run = story.runs.last else { throw StoryProblem("no hook has run yet") }
            return run
        }
    }
}
