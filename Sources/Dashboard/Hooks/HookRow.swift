import Monitoring

/// A line of the list of hook runs.
enum HookRow: Sendable {
    /// A hook of the user's that waits for its target.
    case armed(ArmedHook, Target)
    case entry(HookEntry)

    /// What stays the same when new runs move the row.
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

    /// What is run, or would be.
    var action: String {
        switch self {
        case .armed(let hook, _): hook.action.description
        case .entry(let entry): entry.action
        }
    }
}
