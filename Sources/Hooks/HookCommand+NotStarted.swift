import LibC
import Monitoring
import Subprocess

extension HookCommand {
    /// Why the command could not be started, in words for a person: a shell's, where it has some.
    func reason(notStartedBy error: any Error) -> String {
        guard let error = error as? SubprocessError else { return "\(error)" }
        if error.code == .executableNotFound { return notFound }
        return error.underlyingError.map { "\(programName): \($0)" } ?? "\(error)"
    }

    /// Why a shell that ignores signals and becomes the command could not do so; nil where it can, or needs not.
    func reasonNotToStart(ignoring signals: Set<Int32>) -> String? {
        guard !signals.isEmpty, case .program(let name, _) = self else { return nil }
        let candidates = name.contains("/") ? [name] : Self.candidates(for: name)
        return candidates.contains { access($0, X_OK) == 0 && !Self.isDirectory($0) } ? nil : notFound
    }

    private static func candidates(for name: String) -> [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }
    }

    private var programName: String {
        switch self {
        case .shell: "/bin/sh"
        case .program(let name, _): name
        }
    }

    /// Starting fails alike for a file that is missing and for one that may not be executed; this looks which it was.
    private var notFound: String {
        let name = programName
        guard !name.contains("/") else {
            guard access(name, F_OK) == 0 else { return "\(name): not found" }
            return access(name, X_OK) == 0 && !Self.isDirectory(name)
                ? "\(name): its interpreter was not found" : "\(name): not executable"
        }
        let candidates = Self.candidates(for: name)
        guard let present = candidates.first(where: { access($0, F_OK) == 0 && !Self.isDirectory($0) }) else {
            return "\(name): not found in PATH"
        }
        return access(present, X_OK) == 0
            ? "\(present): its interpreter was not found" : "\(present): not executable"
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
