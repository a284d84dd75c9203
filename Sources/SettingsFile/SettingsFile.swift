public import Monitoring

/// A settings file, which can be located and read.
public struct SettingsFile: Sendable, Hashable {
    /// The path, as the user wrote it.
    public let path: String

    /// The largest file size accepted, in bytes. The settings of fifty thousand targets are smaller.
    static let limit = 16_777_216

    /// The shortest interval between two probes of a target.
    public static let shortestInterval = Duration.milliseconds(10)

    /// Creates a settings file at a path.
    public init(path: String) {
        self.path = path
    }

    /// Reads and validates the file.
    ///
    /// - Parameter environment: The variables to substitute for `${NAME}`.
    /// - Throws: ``SettingsFailure`` with all problems of the settings, or the reason why the file cannot be read.
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
        var result = SettingsReader(file: path, environment: environment).result(of: text)
        if result.hasCommands,
            let problem = content.ownership.problem(file: path) ?? ParentDirectories(of: path).problem(file: path)
        {
            result.problems.append(problem)
        }
        return try result.settings()
    }
}

extension [UInt8] {
    /// The number of bytes before the first invalid UTF-8 sequence.
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
