import Foundation

/// The built program, next to the test bundle.
enum Program {
    /// Its absolute path.
    static let path: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = tests.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: "reach").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
                FileManager.default.isExecutableFile(atPath: candidate)
            {
                return candidate
            }
            folder = folder.deletingLastPathComponent()
        }
        return "reach"
    }()

    /// The environment of every program that a test starts. Of this machine's own environment it has only the paths.
    static func environment(home: String) -> [String: String] {
        var environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": home,
            "LC_ALL": "C.UTF-8",
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "TMUX_TMPDIR": home,
            // After a trap, the Swift runtime's backtracer would prompt the user for half a minute.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return environment
    }
}

/// The programs of Examples/, built into the folder of the program itself.
enum Example {
    private static let names = [
        "first", "reachable", "changes", "once", "fetch", "connection", "many", "network", "service",
    ]

    /// Whether the examples are built.
    static let areBuilt = names.allSatisfy { FileManager.default.isExecutableFile(atPath: path(of: $0)) }

    /// The path of an example.
    static func path(of name: String) -> String {
        URL(filePath: Program.path).deletingLastPathComponent().appending(path: name).path
    }
}

/// The result of a short command.
struct Tool {
    let status: Int32
    let output: String
    let errors: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// Runs a command and waits until it ends, and throws after a time limit.
    @discardableResult
    static func run(
        _ words: [String],
        in folder: String,
        environment: [String: String] = [:],
        within limit: Duration = .seconds(8)
    ) throws -> Tool {
        let mark = "\(folder)/.\(String(UInt64.random(in: .min ... .max), radix: 36))"
        defer { for suffix in ["out", "err"] { unlink("\(mark).\(suffix)") } }
        let child = try Child(
            words,
            in: folder,
            environment: environment,
            streams: .files(output: "\(mark).out", errors: "\(mark).err")
        )
        let deadline = ContinuousClock.now + limit
        while child.status == nil {
            guard ContinuousClock.now < deadline else {
                throw TestFailure(description: "\(words): no end within \(limit)")
            }
            usleep(1_000)
        }
        let text = { (suffix: String) in
            String(decoding: FileManager.default.contents(atPath: "\(mark).\(suffix)") ?? Data(), as: UTF8.self)
        }
        return Tool(status: child.status ?? -1, output: text("out"), errors: text("err"))
    }

    /// Runs a command that prepares a test, such as one that generates keys, and throws unless its status is 0.
    @discardableResult
    static func must(_ words: [String], in folder: String = "/tmp") throws -> Tool {
        let tool = try run(words, in: folder, within: .seconds(60))
        guard tool.status == 0 else {
            throw TestFailure(description: "\(words.joined(separator: " ")): status \(tool.status), \(tool.errors)")
        }
        return tool
    }
}

/// A user without privileges, with a readable copy of the program: the build folder may not be readable to others.
struct UnprivilegedUser {
    /// The path of the copy.
    let program: String

    init(in scratch: Scratch) throws {
        program = scratch.file("reach")
        // A process that a parallel test starts meanwhile would inherit the open copy, which then cannot be executed.
        try Tool.must(["install", "-m", "755", Program.path, program])
    }

    /// The command line that runs the program as this user in a namespace.
    func words(in network: Namespace, _ arguments: String...) -> [String] {
        network.words("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program) + arguments
    }
}

/// A target named Door that a test can take down and up again, and a folder for the files of its hooks.
struct WatchFixture {
    let scratch: Scratch
    /// The listener of the target, which is up while it listens.
    let listener: Listener

    init() throws {
        scratch = try Scratch()
        listener = try Listener()
    }

    /// Writes settings with the target and further lines, and returns their path. The interval is 200 ms by default.
    func settings(_ more: String) throws -> String {
        let settings = """
            [defaults]
            interval = "200ms"
            [[target]]
            name = "Door"
            url = "tcp://127.0.0.1:\(listener.port)"
            \(more)
            """
        return try scratch.write(settings, to: "settings.toml")
    }

    /// Starts `reach watch` with these settings, with its output in the files `out` and `err`.
    func watch(_ more: String) throws -> Child {
        try scratch.start([Program.path, "watch", "--config", try settings(more)])
    }
}

/// Settings with ICMP targets on loopback, at the default interval of one second.
func loopbackSettings(count: Int) -> String {
    (1...count).map { "[[target]]\nname = \"Target \($0)\"\nurl = \"icmp://127.0.0.\($0)\"\n" }.joined()
}
