import Foundation
import ReachScreen

/// xterm on a virtual display. It prints its contents on `CSI i` ("media copy"). Releasing the last reference kills it.
final class XTerm: PaintedTerminal {
    private let scratch: Scratch
    private let rows: Int
    private let path: String
    private let display: VirtualDisplay
    private let child: Child

    /// Starts xterm with a shell script, which may run forever.
    ///
    /// - Parameter options: options of xterm, such as the background colour.
    init(
        _ script: String = "stty raw -echo; exec sleep 60",
        in scratch: Scratch,
        columns: Int = 120,
        rows: Int = 36,
        options: [String] = []
    ) async throws {
        self.scratch = scratch
        self.rows = rows
        display = try await VirtualDisplay(in: scratch)
        let file = try scratch.write("ulimit -c 0\ntty > tty\n\(script)\n", to: "xterm.sh")
        // Closing the printer after each print completes the file. Printed attributes include colours.
        let resources = [
            "printerCommand: cat > print.new && mv print.new print", "printerAutoClose: true", "printAttributes: 2",
            "allowWindowOps: false",
        ]
        let words =
            ["xterm", "-u8", "-geometry", "\(columns)x\(rows)+0+0"]
            + resources.flatMap { ["-xrm", "XTerm*\($0)"] } + options + ["-e", "sh", file]
        child = try Child(
            words,
            in: scratch.path,
            environment: ["DISPLAY": display.name],
            streams: .files(output: scratch.file("xterm.out"), errors: scratch.file("xterm.err"))
        )
        path = try await eventually("terminal of xterm") { scratch.lines(of: "tty").first }
    }

    func paint(_ bytes: [UInt8]) throws {
        try write(bytes, to: path)
    }

    /// Returns the pixels of the display, as the X server has them.
    func pixels() throws -> Pixels {
        try display.pixels()
    }

    /// Returns the screen as xterm prints it: text with attribute codes.
    func print() async throws -> String {
        unlink(scratch.file("print"))
        try paint(Array("\u{1B}[i".utf8))
        return try await eventually("print of xterm") {
            let text = scratch.text(of: "print")
            return text.utf8.count { $0 == UInt8(ascii: "\n") } >= rows ? text : nil
        }
    }

    func cells() async throws -> [[String]] {
        // Splits by scalars: CR LF is one Character.
        let lines = try await print().unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix(rows).map { line in
            var cells: [String] = []
            for scalar in String(line).withoutCodes.unicodeScalars where scalar != "\r" {
                // xterm prints U+FFFF, a noncharacter, for the second column of a wide character.
                if scalar.value == 0xFFFF {
                    cells.append("")
                } else if scalar.isMark, let last = cells.indices.last {
                    cells[last].unicodeScalars.append(scalar)
                } else {
                    cells.append(String(scalar))
                }
            }
            return cells
        }
    }
}

extension String {
    /// The text without control sequences.
    fileprivate var withoutCodes: String {
        replacing(/\u{1B}(?:\[[0-9;:]*m|#5)/.matchingSemantics(.unicodeScalar), with: "")
    }
}

extension Unicode.Scalar {
    /// Whether the scalar has no column of its own.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: (0x1160..<0x1200).contains(value)
        }
    }
}

/// An X server without a screen (Xvfb). Releasing the last reference kills it.
private final class VirtualDisplay: Sendable {
    /// The value of `DISPLAY`.
    let name: String
    private let server: Child
    /// The file that the server keeps its picture in.
    private let picture: URL

    init(in scratch: Scratch) async throws {
        let words = [
            "Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-fbdir", scratch.path,
        ]
        picture = URL(filePath: scratch.file("Xvfb_screen0"))
        let (output, errors) = (scratch.file("display"), scratch.file("display.err"))
        server = try Child(words, in: scratch.path, streams: .files(output: output, errors: errors))
        name = ":\(try await scratch.number(in: "display"))"
    }

    func pixels() throws -> Pixels {
        try Pixels(xwd: Data(contentsOf: picture))
    }
}

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

/// A terminal that a test writes to and whose cells it can read.
protocol PaintedTerminal: AnyObject {
    /// Writes bytes like a program in the terminal.
    func paint(_ bytes: [UInt8]) throws
    /// Returns the text of each column of each row. "" is the second column of a wide character. Trailing blanks may be
    /// missing.
    func cells() async throws -> [[String]]
}

extension PaintedTerminal {
    /// Writes bytes to the terminal's device.
    func write(_ bytes: [UInt8], to path: String) throws {
        let device = try FileHandle(forWritingTo: URL(filePath: path))
        try device.write(contentsOf: Data(bytes))
        try device.close()
    }
}
