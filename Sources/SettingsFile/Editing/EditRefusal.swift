/// Why an edit cannot be made. The text of the settings stays as it is.
public struct EditRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause and the fix, in one line.
    public let description: String

    init(_ description: String) {
        self.description = description.onOneLine
    }

    /// An edit that cannot be made again in a file that has changed.
    public init(conflict refusal: EditRefusal, of edit: String) {
        self.init("the edit \"\(edit)\" cannot be kept: \(refusal) – u undoes it, then ^R")
    }

    /// The first problem of settings that an edit has made invalid. Its position is left out, since it would be one in a
    /// text that is not on disk.
    ///
    /// - Parameter target: The name of the edited target, which need not be repeated.
    public init(_ failure: SettingsFailure, of target: String? = nil) {
        switch failure {
        case .unreadable(let line), .notFound(let line):
            self.init(line)
        case .problems(let problems):
            let first = problems.first.map { problem in
                let key = target.map { problem.keyPath.dropPrefix("target \"\($0)\": ") } ?? problem.keyPath
                return [key, problem.message].filter { !$0.isEmpty }.joined(separator: ": ")
                    + (problem.hint.map { " – \($0)" } ?? "")
            }
            self.init((first ?? "") + (problems.count > 1 ? " (and \(problems.count - 1) more)" : ""))
        }
    }
}

extension String {
    fileprivate func dropPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
