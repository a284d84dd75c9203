import Foundation

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

    /// Runs a command, and throws unless its status is 0.
    @discardableResult
    static func must(_ words: [String], in folder: String = "/tmp") throws -> Tool {
        let tool = try run(words, in: folder)
        guard tool.status == 0 else {
            throw TestFailure(description: "\(words.joined(separator: " ")): status \(tool.status), \(tool.errors)")
        }
        return tool
    }
}
