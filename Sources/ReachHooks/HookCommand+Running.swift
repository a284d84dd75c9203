public import ReachMonitoring
import ReachSystem
import Subprocess
import Synchronization

extension HookCommand {
    /// Runs the command at once with empty standard input, and waits until it ends.
    ///
    /// When the task is cancelled, the process group of the command gets SIGTERM, and SIGKILL after a grace period.
    /// This returns after all processes of the group have ended.
    ///
    /// - Parameters:
    ///   - environment: Variables added to the inherited environment.
    ///   - killGrace: The time between SIGTERM and SIGKILL.
    ///   - ignoredSignals: The signals that the command ignores. The others have their default action.
    /// - Returns: The status, the duration and the beginning of the output.
    public func run(
        environment: [(name: String, value: String)],
        killGrace: Duration = .seconds(1),
        ignoredSignals: Set<Int32> = []
    ) async -> HookResult {
        guard !Task.isCancelled else { return HookResult(status: .cancelled, duration: .zero) }
        let start = ContinuousClock.now
        let job = Job()
        let running = Task { await job.run(self, environment: environment, ignoredSignals: ignoredSignals) }
        let (status, output) = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            job.cancel(grace: killGrace)
        }
        return HookResult(status: job.cause ?? status, duration: .now - start, output: output.head)
    }

    /// Runs a command that does nothing, so that swift-subprocess sets itself up.
    ///
    /// With its first child, the library opens descriptors and starts a thread for all children. If that fails, it
    /// never tries again. So this is called at the start of the program, while there are enough of both.
    public static func prepare() async {
        _ = await HookCommand.shell(":").run(environment: [])
    }
}

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

    private static func isDirectory(_ path: String) -> Bool { stat(at: path)?.isFolder ?? false }
}

/// Reserves file descriptors for commands that are being started.
///
/// swift-subprocess traps if it can open one pipe of a command, but not the next. So the process must have enough free
/// descriptors, and the system enough open files.
enum DescriptorReservation {
    /// The maximum number for one start: three pipes, the process, and the descriptors that the library opens once.
    private static let perStart = 16

    private static let tooFew = "too few file descriptors – raise ulimit -n"
    /// The number of commands being started.
    private static let starts = Mutex(0)

    /// Reserves the descriptors for a start. ``release()`` ends the reservation.
    ///
    /// - Parameter open: Opens a file, and returns its descriptor, or a negative number.
    /// - Returns: Why the command cannot start; nil if there are enough descriptors for it and for the other starts in
    ///   progress.
    static func acquire(open: () -> Int32 = openFile) -> String? {
        let isReserved = starts.withLock { starts in
            guard areFree((starts + 1) * perStart) else { return false }
            starts += 1
            return true
        }
        guard isReserved else { return tooFew }
        let code = errorOpening(perStart, by: open)
        guard [EMFILE, ENFILE].contains(code) else { return nil }
        release()
        return code == EMFILE ? tooFew : "the machine is out of file descriptors – sysctl -w fs.file-max=2097152"
    }

    /// Ends a reservation made by ``acquire(open:)``.
    static func release() {
        starts.withLock { $0 -= 1 }
    }

    /// Whether so many numbers below the process's limit are free. The system assigns the lowest free number first, so
    /// they are mostly the highest ones. Opening files for all starts instead would take them from the probes.
    private static func areFree(_ count: Int) -> Bool {
        var free = 0
        var number = LimitedResource.descriptors.limit.map { Int32(clamping: $0) } ?? .max
        while number > 0, free < count {
            number -= 1
            if fcntl(number, F_GETFD) < 0 { free += 1 }
        }
        return free == count
    }

    /// Opens so many files at the same time, and closes them. Returns the error number; zero if all were opened. Nothing
    /// else shows that the table of all open files of the system is full (ENFILE).
    private static func errorOpening(_ count: Int, by open: () -> Int32) -> Int32 {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = open()
            guard descriptor >= 0 else { return errno }
            opened.append(descriptor)
        }
        return 0
    }

    private static let openFile: @Sendable () -> Int32 = { open("/", O_RDONLY | O_CLOEXEC) }
}
