import Monitoring
import Subprocess

extension HookCommand {
    /// What is started, with these variables on top of our own environment.
    ///
    /// It gets a session of its own, so that it has no controlling terminal and cannot disturb the screen, and so that
    /// it leads a process group that can be ended as one.
    ///
    /// - Parameter signals: the signals that the command ignores. The library puts all of them back to their defaults, so
    ///   that a shell has to ignore them and become the command. SIGCHLD is among them only where that shell can ignore it.
    func configuration(
        environment: [(name: String, value: String)],
        ignoring signals: Set<Int32>
    ) -> Configuration {
        var options = PlatformOptions()
        options.createSession = true
        let (executable, arguments) = invocation(ignoring: signals)
        return Configuration(
            executable: executable,
            arguments: Arguments(arguments),
            environment: .inherit.updating(
                Dictionary(
                    environment.map { (Environment.Key(stringLiteral: $0.name), $0.value.withoutNUL) },
                    uniquingKeysWith: { _, last in last }
                )
            ),
            platformOptions: options
        )
    }

    private func invocation(ignoring signals: Set<Int32>) -> (executable: Executable, arguments: [String]) {
        let words = words
        guard signals.isEmpty else {
            let numbers = signals.sorted().map { String($0) }.joined(separator: " ")
            return (.path(literal("/bin/sh")), ["-c", "trap '' \(numbers); exec \"$@\"", "sh"] + words)
        }
        return (words[0].contains("/") ? .path(literal(words[0])) : .name(words[0]), Array(words.dropFirst()))
    }

    private var words: [String] {
        switch self {
        case .shell(let line): ["/bin/sh", "-c", line.withoutNUL]
        case .program(let name, let arguments): [name] + arguments.map(\.withoutNUL)
        }
    }
}

extension String {
    /// A C string ends at the first NUL, so that a value with one inside would be cut there.
    fileprivate var withoutNUL: String {
        contains("\0") ? String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })) : self
    }
}

/// Makes a path without naming its type, which is the system's own on macOS and a package's elsewhere.
private func literal<Literal: ExpressibleByStringLiteral>(_ text: String) -> Literal
where Literal.StringLiteralType == String {
    Literal(stringLiteral: text)
}
