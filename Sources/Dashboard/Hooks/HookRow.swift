import Monitoring

/// A row of the list of hook runs.
enum HookRow: Sendable {
    /// An armed hook, waiting for its target to be reachable.
    case armed(ArmedHook, Target)
    /// A hook run.
    case entry(HookEntry)

    /// The identity of a row, which stays the same when new runs move it.
    enum ID: Sendable, Hashable {
        case armed(ArmedHook.ID)
        case entry(HookEntry.ID)
    }

    var id: ID {
        switch self {
        case .armed(let hook, _): .armed(hook.id)
        case .entry(let entry): .entry(entry.id)
        }
    }

    var isArmed: Bool {
        if case .armed = self { true } else { false }
    }

    /// The command or request, as text.
    var action: String {
        switch self {
        case .armed(let hook, _): hook.action.description
        case .entry(let entry): entry.action
        }
    }
}
