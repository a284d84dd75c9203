import Foundation

/// A script in a tmux terminal whose screen can be read. Releasing the last reference ends it.
final class Screen: Sendable {
    let scratch: Scratch
    private let name = "s\(String(UInt32.random(in: .min ... .max), radix: 36))"

    /// Starts a shell script. The terminal stays for a minute after the script ends.
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

    /// The script line that runs the program and writes its process ID to the file `pid`.
    static func program(_ arguments: String) -> String {
        "sh -c 'echo $$ > pid; exec \(Program.path) \(arguments)'"
    }

    deinit {
        _ = try? tmux("kill-server")
    }

    /// The rows of the screen, without trailing blanks.
    var rows: [String] {
        get throws {
            let text = try tmux("capture-pane", "-p").output
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// The screen as one text, for failure messages.
    var text: String { (try? rows.joined(separator: "\n")) ?? "" }

    /// Whether the alternate screen is active and the cursor visible.
    var flags: (isAlternate: Bool, hasCursor: Bool) {
        get throws {
            let words = try tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").output
            return (words.hasPrefix("1"), words.hasSuffix("1\n"))
        }
    }

    /// The cursor's position, from zero.
    var cursor: (column: Int, row: Int) {
        get throws {
            let words = try tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").output
            let numbers = words.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            guard numbers.count == 2 else { throw TestFailure(description: "no cursor position of tmux: \(words)") }
            return (numbers[0], numbers[1])
        }
    }

    /// The newest buffer of tmux, which its paste key enters.
    var buffer: String {
        get throws { try tmux("show-buffer").output }
    }

    /// Whether mouse reporting is on.
    var isMouseOn: Bool {
        get throws { try tmux("display-message", "-p", "#{mouse_standard_flag}#{mouse_sgr_flag}").output == "11\n" }
    }

    /// Waits until a row contains a text, and returns that row.
    @discardableResult
    func wait(for text: String, within limit: Duration = .seconds(8)) async throws -> String {
        try await eventually("\"\(text)\"", within: limit, context: { self.text }) {
            try rows.first { $0.contains(text) }
        }
    }

    /// Waits until a row contains all of these texts, and returns that row.
    @discardableResult
    func wait(forRowWith texts: String..., within limit: Duration = .seconds(8)) async throws -> String {
        try await eventually("row with \(texts)", within: limit, context: { self.text }) {
            try rows.first { row in texts.allSatisfy { row.contains($0) } }
        }
    }

    /// Presses keys, by tmux's names for them.
    func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    /// Types a line and Enter.
    func enter(_ line: String) throws {
        try tmux("send-keys", "-l", line)
        try press("Enter")
    }

    /// Resizes the terminal.
    func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// The number of lines, with wrapped lines counted once.
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
        guard tool.status == 0 else { throw TestFailure(description: "tmux \(words): \(tool.errors)") }
        return tool
    }
}

extension String {
    /// The number of terminal columns of the text, for the characters that these tests use.
    var columns: Int {
        unicodeScalars.reduce(0) { $0 + $1.columns }
    }

    /// The column at which a word begins; nil if the text does not contain it.
    func column(of word: String) -> Int? {
        ranges(of: word).first.map { String(self[..<$0.lowerBound]).columns }
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60: 2
        case 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF: 2
        default: 1
        }
    }
}
