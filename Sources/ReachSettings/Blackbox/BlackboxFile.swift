package import ReachMonitoring

/// A settings file of Prometheus's blackbox exporter.
package struct BlackboxFile: Sendable, Hashable {
    /// The content of a file.
    package struct Content: Sendable, Hashable {
        /// The modules, in the order of their names. A probe by one that reach does not support is refused.
        package fileprivate(set) var modules: [BlackboxModule] = []
        /// A warning for each module that is not supported, with its line.
        package fileprivate(set) var warnings: [SettingsProblem] = []
    }

    /// The path, as the user wrote it.
    package let path: String

    private let isStrict: Bool

    /// Creates a file at a path.
    ///
    /// - Parameter isStrict: Whether the warnings are problems.
    package init(path: String, isStrict: Bool = false) {
        (self.path, self.isStrict) = (path, isStrict)
    }

    /// Reads the modules.
    ///
    /// - Throws: ``SettingsFailure`` with all problems, or the reason why the file cannot be read.
    package func content() throws(SettingsFailure) -> Content {
        let content: RegularFile
        do {
            content = try RegularFile(path: path, limit: SettingsFile.limit)
        } catch {
            throw .unreadable("\(path): \(error.problem)".onOneLine)
        }
        guard let text = content.text else {
            throw .unreadable(
                "\(path):\(content.firstInvalidLine): the text is not UTF-8 – save the file as UTF-8".onOneLine
            )
        }
        let found = try Self.content(of: text, file: path)
        guard isStrict, !found.warnings.isEmpty else { return found }
        var problems = found.warnings
        for index in problems.indices { problems[index].isWarning = false }
        throw .problems(problems)
    }

    /// Reads the modules from a text.
    package static func content(of text: String, file: String) throws(SettingsFailure) -> Content {
        guard let root = try YAMLValue.first(of: text, file: file) else {
            throw .problems([SettingsProblem(file: file, message: "the file is empty")])
        }
        let log = BlackboxLog(file: file)
        let reader = BlackboxReader(root, title: "", log: log)
        var content = Content()
        reader.read { key, value in
            guard key == "modules" else { return false }
            BlackboxReader(value, title: "", log: log).read { name, value in
                log.unsupported = nil
                var module = BlackboxReader(value, title: "module \(name.quoted)", log: log).module(named: name)
                if var problem = log.unsupported {
                    module.prober = .unsupported(reason: problem.withoutPosition)
                    problem.isWarning = true
                    content.warnings.append(problem)
                }
                content.modules.append(module)
                return true
            }
            return true
        }
        guard log.problems.isEmpty else { throw .problems(log.problems) }
        if content.modules.isEmpty {
            let hint = "such as modules: and, below it, http_2xx:"
            var problem = SettingsProblem(file: file, line: root.line, message: "no modules", hint: hint)
            problem.isWarning = true
            content.warnings.append(problem)
        }
        content.modules.sort { $0.name < $1.name }
        return content
    }
}

extension SettingsProblem {
    /// The problem without the place in the file.
    fileprivate var withoutPosition: String {
        "\(keyPath): \(message)\(hint.map { " – \($0)" } ?? "")".onOneLine
    }
}

/// The problems of a file of the blackbox exporter.
final class BlackboxLog {
    private let file: String
    /// The reasons to refuse the file, as the blackbox exporter does.
    private(set) var problems: [SettingsProblem] = []
    /// Why reach cannot probe by the module that is being read: the first reason; nil if it can.
    var unsupported: SettingsProblem?

    init(file: String) {
        self.file = file
    }

    /// Adds a problem.
    func report(_ message: String, hint: String? = nil, about keyPath: String, line: Int) {
        problems.append(problem(message, hint, keyPath, line))
    }

    /// Notes that the blackbox exporter accepts a part of a module, and reach cannot probe by it.
    func noteUnsupported(_ message: String, hint: String? = nil, about keyPath: String, line: Int) {
        unsupported = unsupported ?? problem(message, hint, keyPath, line)
    }

    private func problem(_ message: String, _ hint: String?, _ keyPath: String, _ line: Int) -> SettingsProblem {
        SettingsProblem(file: file, line: line, keyPath: keyPath, message: message, hint: hint)
    }
}
