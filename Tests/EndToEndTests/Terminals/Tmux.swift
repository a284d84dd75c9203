import Screen

/// tmux and the contents of its pane. It measures tmux's width of characters by the cursor's position.
final class Tmux: PaintedTerminal {
    private let screen: Screen
    private let path: String
    private var widths: [Character: Int] = [:]

    /// Starts tmux.
    ///
    /// - Parameter contested: the characters to measure; all terminals agree on the width of the others.
    init(in scratch: Scratch, columns: Int, rows: Int, measuring contested: Set<Character>) async throws {
        let script = "stty raw -echo; tty > tty; exec sleep 60"
        screen = try Screen(script, in: scratch, columns: columns, rows: rows)
        path = try await eventually("terminal of tmux") { scratch.lines(of: "tty").first }
        for (index, character) in contested.enumerated() {
            let row = index % (rows - 1) + 1
            try paint(Array("\u{1B}[\(row + 1);1H\(character)".utf8))
            widths[character] = try await eventually("width of \(character)") {
                let cursor = try screen.cursor
                return cursor.row == row && cursor.column > 0 ? cursor.column : nil
            }
        }
    }

    func paint(_ bytes: [UInt8]) throws {
        try write(bytes, to: path)
    }

    func cells() throws -> [[String]] {
        try screen.rows.map { row in
            // The left-to-right mark after right-to-left text has no column.
            row.filter { $0 != "\u{200E}" }.flatMap { character in
                let width = widths[character] ?? character.displayWidth
                return [String(character)] + Array(repeating: "", count: width - 1)
            }
        }
    }
}
