package import Monitoring

/// A settings file of Prometheus's blackbox exporter: its modules, as far as reach can probe by them.
package struct BlackboxFile: Sendable, Hashable {
    /// The path, as the user wrote it.
    package let path: String

    /// Creates a file at a path.
    package init(path: String) {
        self.path = path
    }

    /// Reads the modules.
    ///
    /// - Throws: ``SettingsFailure`` with all problems, or the reason why the file cannot be read.
    package func modules() throws(SettingsFailure) -> [ProbeModule] {
        let content: FileContent
        do {
            content = try FileContent(path: path, limit: SettingsFile.limit)
        } catch {
            // The fixes are those for settings.
            let end = error.message.firstRange(of: " – ")?.lowerBound ?? error.message.endIndex
            throw .unreadable("\(path): \(error.message[..<end])".onOneLine)
        }
        guard let text = content.text else {
            throw .unreadable(
                "\(path):\(content.firstInvalidLine): the text is not UTF-8 – save the file as UTF-8".onOneLine
            )
        }
        return try Self.modules(of: text, file: path)
    }

    /// Reads the modules from a text.
    package static func modules(of text: String, file: String) throws(SettingsFailure) -> [ProbeModule] {
        let root = try YAMLValue(text, file: file)
        let log = BlackboxLog(file: file)
        let reader = BlackboxReader(root, title: "", log: log)
        var modules: [ProbeModule] = []
        reader.read { key, value in
            guard key == "modules" else { return false }
            BlackboxReader(value, title: "", log: log).read { name, value in
                let module = BlackboxReader(value, title: "module \(name.quoted)", log: log).module(named: name)
                if let module { modules.append(module) }
                return true
            }
            return true
        }
        if modules.isEmpty, log.problems.isEmpty {
            log.report("no modules", hint: "such as modules: and, below it, http_2xx:", about: "", line: root.line)
        }
        guard log.problems.isEmpty else { throw .problems(log.problems) }
        return modules.sorted { $0.name < $1.name }
    }
}
