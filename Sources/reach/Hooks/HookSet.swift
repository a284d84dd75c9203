import History
import Monitoring

/// The targets whose hooks a process runs: those of a settings file, of a shard, or that arguments select.
struct HookSet: Sendable, Hashable {
    /// The path of the settings file.
    let settings: String
    /// The share of the targets; nil for all.
    var shard: Shard?
    /// The arguments that select among them, sorted; empty for all.
    var selection: [String] = []

    /// Why a process has a lock.
    enum Kind: String {
        /// It is the first one.
        case first = "reach-hooks"
        /// The user has chosen it.
        case chosen = "reach-hooks-always"
    }

    /// The path of the lock of the process that runs the hooks.
    func path(_ kind: Kind, in folder: String) -> String {
        let subject = ([settings, shard?.description ?? ""] + selection).joined(separator: "\n")
        return ProcessLock.path(of: kind.rawValue, for: subject, in: folder)
    }

    /// The set without a selection; nil if this one has none.
    var larger: HookSet? {
        selection.isEmpty ? nil : HookSet(settings: settings, shard: shard)
    }
}

extension TargetSource {
    /// The targets whose hooks this process runs; nil without a settings file, since only those have hooks.
    ///
    /// - Parameter path: The file that was written since the start.
    func hookSet(of path: String? = nil) -> HookSet? {
        guard let path = path ?? self.path else { return nil }
        let selection = arguments.sorted() + (isFleet ? ["fleet"] : [])
        return HookSet(settings: Self.identity(ofFile: path), shard: shard, selection: selection)
    }
}
