import Foundation

/// A script in a terminal that can be looked at: tmux draws it. It ends with the last reference.
final class Screen: Sendable {
    let scratch: Scratch
    private let name = "s\(String(UInt32.random(in: .min ... .max), radix: 36))"

    /// Starts a script of the shell, after which the terminal stays for a while.
    init(_ script: String, in scratch: Scratch, columns: Int = 120, rows: Int = 36) throws {
        self.scratch = scratch
        let settings = """
            set -g status off
            set -g history-limit 2000
            set -s escape-time 0
            set -g default-terminal screen-256color

            """
        try scratch.write(settings, to: "tmux.conf")
        let path = try scratch.write("ulimit -c 0\n\(script)\nexec sleep 60\n", to: "\(name).sh")
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        try tmux(["-f", scratch.file("tmux.conf"), "new-session", "-d"] + size + ["sh \(path)"])
    }

    /// Starts the program with these arguments.
    static func running(
        _ arguments: String,
        in scratch: Scratch,
        columns: Int = 120,
        rows: Int = 36
    ) throws -> Screen {
        try Screen(program(arguments), in: scratch, columns: columns, rows: rows)
    }

    /// The line of a script that runs the program and leaves its number in the file `pid`.
    static func program(_ arguments: String) -> String {
        "sh -c 'echo $$ > pid; exec \(Program.path) \(arguments)'"
    }

    deinit {
        _ = try? tmux("kill-server")
    }

    /// The rows of the screen, without the blanks at their ends.
    var rows: [String] {
        get throws {
            let text = try tmux("capture-pane", "-p").output
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// The screen as one text, for messages.
    var text: String { (try? rows.joined(separator: "\n")) ?? "" }

    /// Whether the alternate screen and the cursor are shown.
    var flags: (isAlternate: Bool, hasCursor: Bool) {
        get throws {
            let words = try tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").output
            return (words.hasPrefix("1"), words.hasSuffix("1\n"))
        }
    }

    /// Where the cursor is, counted from zero.
    var cursor: (column: Int, row: Int) {
        get throws {
            let words = try tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").output
            let numbers = words.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            guard numbers.count == 2 else { throw Missing(description: "tmux has its cursor at \(words)") }
            return (numbers[0], numbers[1])
        }
    }

    /// Whether the program is told what the mouse does.
    var isMouseOn: Bool {
        get throws { try tmux("display-message", "-p", "#{mouse_standard_flag}#{mouse_sgr_flag}").output == "11\n" }
    }

    /// Waits until some row has a text, and returns that row.
    @discardableResult
    func wait(for text: String, within limit: Duration = .seconds(8)) async throws -> String {
        try await eventually("\"\(text)\"", within: limit, context: { self.text }) {
            try rows.first { $0.contains(text) }
        }
    }

    /// Waits until some row has all of these texts, and returns that row.
    @discardableResult
    func wait(forRowWith texts: String..., within limit: Duration = .seconds(8)) async throws -> String {
        try await eventually("row with \(texts)", within: limit, context: { self.text }) {
            try rows.first { row in texts.allSatisfy { row.contains($0) } }
        }
    }

    /// Presses keys, by the names that tmux has for them.
    func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    /// Types a line into a shell.
    func enter(_ line: String) throws {
        try tmux("send-keys", "-l", line)
        try press("Enter")
    }

    /// Gives the terminal another size.
    func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// How many lines there are when those that go on in the next row count once.
    var unwrappedLines: Int {
        get throws {
            let text = try tmux("capture-pane", "-p", "-J").output
            return text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
    }

    @discardableResult
    private func tmux(_ words: String...) throws -> Tool {
        try tmux(words)
    }

    @discardableResult
    private func tmux(_ words: [String]) throws -> Tool {
        let tool = try Tool.run(["tmux", "-u", "-L", name] + words, in: scratch.path)
        guard tool.status == 0 else { throw Missing(description: "tmux \(words): \(tool.errors)") }
        return tool
    }
}
