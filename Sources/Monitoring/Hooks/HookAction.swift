/// The action of a hook.
public enum HookAction: Sendable, Hashable, CustomStringConvertible {
    /// Runs a command.
    case command(HookCommand)
    /// Sends a request.
    case request(Webhook)

    /// The default number of retries after a failed run. A command gets none, since only the user knows whether it may
    /// run twice. A request gets three, since the network that it crosses may be the cause of the failure.
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

    /// A program, found in `PATH`, and its arguments, run without a shell.
    public static func program(_ name: String, arguments: [String]) -> HookAction {
        .command(.program(name, arguments: arguments))
    }

    /// The command as typed in a shell, or the request's first line: `POST https://example.net/hook`.
    public var description: String {
        switch self {
        case .command(let command): command.description
        case .request(let webhook): webhook.description
        }
    }
}

/// The command of a hook or of an `exec:` target.
public enum HookCommand: Sendable, Hashable, CustomStringConvertible {
    /// A line for `/bin/sh -c`.
    case shell(String)
    /// A program, found in `PATH`, and its arguments, run without a shell.
    case program(String, arguments: [String])

    /// The command as typed in a shell.
    public var description: String {
        switch self {
        case .shell(let line): line
        case .program(let name, let arguments): ([name] + arguments).joined(separator: " ")
        }
    }
}
