/// What a hook does.
public enum HookAction: Sendable, Hashable, CustomStringConvertible {
    /// A command of the user's is run.
    case command(HookCommand)
    /// A request is sent.
    case request(Webhook)

    /// How often a run that fails is tried again where the rule does not say: a command not at all, since only the user
    /// knows whether it may run twice; a request three times, since it crosses a network that may be the trouble itself.
    public var defaultRetries: Int {
        switch self {
        case .command: 0
        case .request: 3
        }
    }

    /// A line for `/bin/sh -c`.
    public static func shell(_ line: String) -> HookAction {
        .command(.shell(line))
    }

    /// A program, found by `PATH`, and its arguments; no shell sees them.
    public static func program(_ name: String, arguments: [String]) -> HookAction {
        .command(.program(name, arguments: arguments))
    }

    /// The command as a person would type it, or the request's first line: `POST https://example.net/hook`.
    public var description: String {
        switch self {
        case .command(let command): command.description
        case .request(let webhook): webhook.description
        }
    }
}
