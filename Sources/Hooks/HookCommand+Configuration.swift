import Monitoring
import Subprocess

extension HookCommand {
    /// Returns the configuration to start the command with.
    ///
    /// The command runs in a new session: without a controlling terminal, it cannot disturb the screen, and its process
    /// group can be ended as a whole.
    ///
    /// - Parameters:
    ///   - environment: Variables added to the inherited environment.
    ///   - signals: The signals that the command ignores. The library resets all signals to their defaults, so a shell
    ///     ignores them and then executes the command. SIGCHLD is included only if that shell can ignore it.
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
        let commandLine = commandLine
        guard signals.isEmpty else {
            let numbers = signals.sorted().map { String($0) }.joined(separator: " ")
            return (.path(literal("/bin/sh")), ["-c", "trap '' \(numbers); exec \"$@\"", "sh"] + commandLine)
        }
        return (
            commandLine[0].contains("/") ? .path(literal(commandLine[0])) : .name(commandLine[0]),
            Array(commandLine.dropFirst())
        )
    }

    private var commandLine: [String] {
        switch self {
        case .shell(let line): ["/bin/sh", "-c", line.withoutNUL]
        case .program(let name, let arguments): [name] + arguments.map(\.withoutNUL)
        }
    }
}

extension String {
    /// The text without NUL characters, since a C string ends at the first one.
    fileprivate var withoutNUL: String {
        contains("\0") ? String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })) : self
    }
}

/// Creates a path without naming its type: `FilePath` comes from the system on macOS and from a package elsewhere.
private func literal<Literal: ExpressibleByStringLiteral>(_ text: String) -> Literal
where Literal.StringLiteralType == String {
    Literal(stringLiteral: text)
}
