import Foundation
import ReachReporting
import ReachSystem

/// The folder of files that last longer than a run of the program: `reach` in `$XDG_STATE_HOME`, or in `~/.local/state`
/// (https://specifications.freedesktop.org/basedir-spec/).
struct StateFolder: Sendable {
    let path: String

    /// Locates the folder; nil without a home folder, or if it belongs to another user, such as the `HOME` that sudo leaves
    /// in the environment of root.
    init?(environment: [String: String]) {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        guard let base = state ?? home else { return nil }
        path = "\(base)/reach"
        guard Self.isOwn(path) else { return nil }
    }

    /// Why there is no folder, with the fix.
    static func problem(_ environment: [String: String]) -> String {
        let names = ["XDG_STATE_HOME", "HOME"]
        guard let name = names.first(where: { environment[$0]?.hasPrefix("/") ?? false }) else {
            return "neither XDG_STATE_HOME nor HOME is set – set XDG_STATE_HOME"
        }
        let path = (environment[name] ?? "").printable
        return "\(name) is \(path), where this user has no folder – set XDG_STATE_HOME to a folder of this user"
    }

    /// Creates the folder and its missing parents with mode 700.
    func create() -> Bool {
        var path = ""
        for part in self.path.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, X_OK) == 0 else { return false }
        }
        return true
    }

    /// Whether a folder belongs to the user; if it does not exist, its nearest existing parent.
    private static func isOwn(_ folder: String) -> Bool {
        var path = folder[...]
        while access(path.isEmpty ? "/" : String(path), F_OK) != 0 {
            guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return false }
            path = path[..<slash]
        }
        // The suffix "/." resolves a symbolic link, and exists for folders only.
        return (try? FileManager.default.attributesOfItem(atPath: "\(path)/.")).map(isOwned) ?? false
    }

    /// Whether a file belongs to the user. Foundation reads the attributes, since `stat` is ambiguous in a module that
    /// imports both Foundation and ReachSystem.
    static func isOwned(_ attributes: [FileAttributeKey: Any]) -> Bool {
        (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
    }
}
