public import Monitoring

/// The settings file: where it is, and how it is read.
public struct SettingsFile: Sendable, Hashable {
    /// Where the file is, as the user named it.
    public let path: String

    /// The largest file that is read; the settings of fifty thousand targets are smaller.
    static let limit = 16_777_216

    /// The file at a path.
    public init(path: String) {
        self.path = path
    }

    /// Reads the file.
    ///
    /// - Parameter environment: the variables that `${NAME}` in the file stands for.
    /// - Throws: ``SettingsFailure``: everything that is wrong with the settings, or why the file cannot be read.
    public func read(environment: [String: String]) throws(SettingsFailure) -> Settings {
        let content: FileContent
        do {
            content = try FileContent(path: path, limit: Self.limit)
        } catch {
            throw .unreadable("\(path): \(error.message)".onOneLine)
        }
        guard let text = String(validating: content.bytes, as: UTF8.self) else {
            let line = 1 + content.bytes.prefix(content.bytes.validUTF8Count).count { $0 == UInt8(ascii: "\n") }
            throw .unreadable("\(path):\(line): the text is not UTF-8 – save the file as UTF-8".onOneLine)
        }
        var outcome = SettingsReader(file: path, environment: environment).outcome(of: text)
        if outcome.hasCommands,
            let problem = content.ownership.problem(file: path) ?? Folders(of: path).problem(file: path)
        {
            outcome.problems.append(problem)
        }
        return try outcome.settings()
    }
}

extension [UInt8] {
    /// How many bytes come before the first that is not UTF-8.
    fileprivate var validUTF8Count: Int {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = makeIterator()
        var count = 0
        while case .valid(let scalar) = decoder.parseScalar(from: &iterator) {
            count += scalar.count
        }
        return count
    }
}
