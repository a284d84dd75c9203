import ReachBasics
import ReachMonitoring
import ReachReporting
import ReachSystem

/// Targets from standard input, one a line: `URL`, `HOST` or `HOST:PORT` as on the command line, after `NAME=` if the target
/// has a name. Blank lines and comments (`#`) are skipped.
struct TargetList: Sendable, Hashable {
    /// The argument that stands for the list.
    static let argument = "-"
    /// The name of the source in messages and in the header of the screen.
    static let source = "standard input"
    /// The largest size in bytes, as of a settings file.
    private static let byteLimit = 8_388_608
    private static let lineLimit = 4_096
    private static let targetLimit = 65_536

    let targets: [Target]

    /// Reads the list from a descriptor until its end.
    ///
    /// - Throws: ``StartupError`` with all problems.
    init(readingFrom descriptor: Int32) throws(StartupError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try readAll(from: descriptor, limit: Self.byteLimit + 1)
        } catch {
            throw Self.problem(error.description)
        }
        guard bytes.count <= Self.byteLimit else {
            throw Self.problem("larger than \(Self.byteLimit / 1_048_576) MiB – fewer targets")
        }
        try self.init(bytes)
    }

    /// Parses the bytes of a list.
    init(_ bytes: [UInt8]) throws(StartupError) {
        var targets: [Target] = []
        var problems: [String] = []
        var names: [String: Int] = [:]
        // A byte order mark is not part of the first line.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            do throws(StartupError) {
                guard let (target, hasName) = try Self.target(of: line) else { continue }
                if hasName, let other = names[target.name] {
                    throw StartupError("duplicate name \"\(target.name)\", also on line \(other) – rename one")
                }
                if hasName { names[target.name] = number }
                targets.append(target)
            } catch {
                problems.append("\(Self.source):\(number): \(error)".printable)
            }
        }
        guard problems.isEmpty else { throw StartupError(lines: problems) }
        guard !targets.isEmpty else {
            throw Self.problem("no targets – write a URL, HOST or HOST:PORT on each line")
        }
        guard targets.count <= Self.targetLimit else {
            throw Self.problem("\(targets.count) targets – at most \(Self.targetLimit)")
        }
        self.targets = targets
    }

    private static func problem(_ text: String) -> StartupError {
        StartupError("\(source): \(text)")
    }

    /// Parses a line; nil for a blank line or a comment.
    private static func target(of line: ArraySlice<UInt8>) throws(StartupError) -> (Target, hasName: Bool)? {
        guard line.count <= lineLimit else { throw StartupError("longer than \(lineLimit) bytes – one target a line") }
        guard let whole = String(validating: line, as: UTF8.self) else {
            throw StartupError("the line is not UTF-8 – save the list as UTF-8")
        }
        let text = whole.withoutComment.trimmed
        guard !text.isEmpty else { return nil }
        let (url, name) = try Target.parts(ofArgument: text)
        guard !url.hasPrefix("@") else {
            throw StartupError("\"\(url)\": a list has no names of the settings – write \(url) on the command line")
        }
        return (try Target(url: url, name: name), name != nil)
    }
}

extension Target {
    /// Parses an argument of the command line: a URL, or a short form of one, after `NAME=` if the target has a name.
    init(argument text: String) throws(StartupError) {
        let (url, name) = try Self.parts(ofArgument: text)
        try self.init(url: url, name: name)
    }

    /// The URL and the name of an argument, or of a line of a list.
    fileprivate static func parts(ofArgument text: String) throws(StartupError) -> (url: String, name: String?) {
        // The query of a URL may have an equals sign.
        guard let sign = text.firstIndex(of: "="), !text[..<sign].contains("://") else { return (text, nil) }
        let name = String(text[..<sign]).trimmed
        guard !name.isEmpty else { throw StartupError("no name before \"=\" – write NAME=URL, or the URL alone") }
        guard name.utf8.count <= Self.maxNameLength else {
            throw StartupError("a name of \(name.utf8.count) bytes – at most \(Self.maxNameLength)")
        }
        guard name == name.printable else { throw StartupError("control character in the name – remove it") }
        return (String(text[sign...].dropFirst()).trimmed, name)
    }

    /// Parses a URL, or a short form of one. By default, it is the name.
    init(url: String, name: String?) throws(StartupError) {
        let question: Question
        do throws(URLProblem) {
            question = try Question(url)
        } catch {
            let fix = error.hint == nil && name == nil ? Self.namedForm(of: url).map { " – write \($0)" } : nil
            throw StartupError("\"\(url.withoutSecretsOfInvalidURL)\": \(error)\(fix ?? "")")
        }
        guard let title = question.title else {
            throw StartupError(
                "\"\(url)\": commands are only allowed in the settings file – select the target by @NAME"
            )
        }
        self = Target(name: name ?? title.withNames(typedIn: url), question: question).withPath
    }

    /// The argument that a name and a URL with a blank between them stand for: `db=tcp://db:5432`; nil for another text.
    private static func namedForm(of text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.count == 2, !words[0].contains(":"), (try? Question(String(words[1]))) != nil else { return nil }
        return "\(words[0])=\(String(words[1]).withoutSecretsOfInvalidURL)"
    }
}

extension String {
    /// The text before a `#` at its beginning or after a blank.
    fileprivate var withoutComment: String {
        var isAfterBlank = true
        for index in indices {
            if self[index] == "#", isAfterBlank { return String(self[..<index]) }
            isAfterBlank = self[index].isWhitespace
        }
        return self
    }
}
