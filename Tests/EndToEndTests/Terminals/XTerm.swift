import Foundation

/// xterm on a screen in memory, and what it shows: it prints that when it is asked to (`CSI i`, "media copy"). It ends with
/// the last reference.
final class XTerm: PaintedTerminal {
    private let scratch: Scratch
    private let rows: Int
    private let path: String
    private let display: VirtualDisplay
    private let child: Child

    /// Starts it with a script of the shell, which need not end.
    ///
    /// - Parameter options: xterm's own, such as the colour of its background.
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
        // Each picture is all that there is when the printer is closed; colours are in it too.
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

    /// The screen as xterm prints it: text, and the codes of its looks.
    func print() async throws -> String {
        unlink(scratch.file("print"))
        try paint(Array("\u{1B}[i".utf8))
        return try await eventually("print of xterm") {
            let text = scratch.text(of: "print")
            return text.utf8.count { $0 == UInt8(ascii: "\n") } >= rows ? text : nil
        }
    }

    func cells() async throws -> [[String]] {
        // A line may end in two characters, which are one in a string.
        let lines = try await print().unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix(rows).map { line in
            var cells: [String] = []
            for scalar in String(line).withoutCodes.unicodeScalars where scalar != "\r" {
                // The second column of a wide character is told by a scalar that is none.
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
    /// Whether it stands in the column of what precedes it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: (0x1160..<0x1200).contains(value)
        }
    }
}
