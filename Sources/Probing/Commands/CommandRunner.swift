public import Monitoring

/// Runs a command for a probe, with these variables on top of our own environment, and returns when it has ended.
///
/// When the task is cancelled, the command and all that it has started are ended. The result's output is how the
/// command's output begins.
public typealias CommandRunner =
    @Sendable (_ command: HookCommand, _ environment: [(name: String, value: String)]) async -> HookResult
