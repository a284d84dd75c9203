import Monitoring

extension Target {
    /// Whether the target is probed by a command.
    var isCommand: Bool {
        if case .exec = question { true } else { false }
    }

    /// Whether the target has a hook that is a command.
    var hasCommands: Bool {
        hooks.contains { if case .command = $0.action { true } else { false } }
    }
}
