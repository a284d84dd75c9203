import LibC
import Monitoring
import Subprocess

extension HookCommand {
    /// Returns why the command could not be started, worded like the errors of a shell where possible.
    func reason(notStartedBy error: any Error) -> String {
        guard let error = error as? SubprocessError else { return "\(error)" }
        if error.code == .executableNotFound { return notFound }
        return error.underlyingError.map { "\(programName): \($0)" } ?? "\(error)"
    }

    /// Returns why a shell that ignores signals could not execute the command; nil if it can, or if no shell is needed.
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

    /// The reason for a failed start. The error is the same for a missing file and for one that is not executable, so
    /// this checks the file.
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
