import ArgumentParser

/// The options of the commands that run hooks.
struct HookOptions: ParsableArguments {
    @Flag(help: "Run the hooks even if another process with the same settings does. (default: the first one does)")
    var hooks = false

    @Flag(help: "Run no hooks, except commands that are armed on the screen.")
    var noHooks = false

    func validate() throws {
        guard !hooks || !noHooks else { throw ValidationError("--hooks and --no-hooks cannot be combined") }
    }

    /// Begins to decide whether this process runs the hooks of its settings.
    func election(of source: TargetSource) -> HookElection {
        HookElection(HookClaim(hooks ? .always : noHooks ? .never : .first, of: source.hookSet()))
    }
}
