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
