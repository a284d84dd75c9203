import Foundation

/// The built program, which lies next to the bundle of the tests.
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

    /// What every program that a test starts finds in its environment: nothing of the machine's own but the path.
    static func environment(home: String) -> [String: String] {
        var environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": home,
            "LC_ALL": "C.UTF-8",
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "TMUX_TMPDIR": home,
            // A runtime that reports a trap asks the user questions, for half a minute.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return environment
    }
}
