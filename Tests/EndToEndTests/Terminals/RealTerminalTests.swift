import TestSupport
import Testing

@testable import Screen
@testable import TerminalIO

extension EndToEnd {
    /// Frames as displayed by real terminals, which disagree about the width of some names.
    @Suite(.serialized) struct RealTerminalTests {
        /// Draws the frames one over the other, and reports the first cell that the terminal shows differently.
        private func paint(_ frames: [Frame], on terminal: some PaintedTerminal) async throws {
            let encoder = Encoder(color: .indexed)
            try terminal.paint(Array(ScreenCodes.enter.utf8))
            var old: Frame?
            for (number, frame) in frames.enumerated() {
                try terminal.paint(encoder.encode(frame, over: old))
                old = frame
                var last = ""
                try await eventually("frame \(number)", within: .seconds(3), context: { last }) {
                    last = frame.difference(from: try await terminal.cells()) ?? ""
                    return last.isEmpty
                }
            }
        }

        @Test(.enabled(if: Machine.hasTmux, "tmux is not installed"), arguments: [(80, 24), (120, 36)])
        func `tmux shows the frames correctly`(columns: Int, rows: Int) async throws {
            var showcase = NameShowcase(columns: columns, rows: rows)
            let frames = showcase.frames()
            let terminal = try await Tmux(
                in: try Scratch(),
                columns: columns,
                rows: rows,
                measuring: frames.reduce(into: []) { $0.formUnion($1.contested) }
            )
            try await paint(frames, on: terminal)
        }

        @Test(.enabled(if: Machine.hasXTerm, "xterm and Xvfb are not installed"), arguments: [(80, 24), (120, 36)])
        func `xterm shows the frames correctly`(columns: Int, rows: Int) async throws {
            var showcase = NameShowcase(columns: columns, rows: rows)
            let terminal = try await XTerm(in: try Scratch(), columns: columns, rows: rows)
            try await paint(showcase.frames(), on: terminal)
        }

        /// Returns frames of charts that advance by one or two columns, between names with combining marks and figures that
        /// change. Each takes less than the 2048 bytes that a terminal device passes on at once: xterm would draw a piece of
        /// text in two steps otherwise.
        private func charts() -> [Frame] {
            var generator = SplitMix(seed: 7)
            let bars = Array("▁▂▃▄▅▆▇█░ ×"), dots = Array("⠁⡇⣿⣀⣤⣶ ⢸")
            var rows = (0..<6).map { row in
                (0..<30).compactMap { _ in (row < 4 ? bars : dots).randomElement(using: &generator) }
            }
            let names = ["cafe\u{301}", "NAS", "a\u{300}\u{301}b", "Straße", "e\u{302}", "Mail"]
            return (0..<24).map { step in
                var frame = Frame(size: Size(columns: 60, rows: 6))
                for row in rows.indices {
                    for _ in 0...step % 5 / 4 {
                        let letters = row == 3 ? [step % 6 == 0 ? "█" : "▁"] : row < 4 ? bars : dots
                        rows[row] = rows[row].dropFirst() + [letters.randomElement(using: &generator) ?? " "]
                    }
                    frame.write(names[row], at: Position(column: 1, row: row))
                    let style = Style([Color.green, .yellow, .red, nil, .cyan, .green][row])
                    frame.write(String(rows[row]), at: Position(column: 9, row: row), style: style)
                    frame.write("\(step + 10)", at: Position(column: row % 2 == 0 ? 41 : 39, row: row))
                    frame.write(names[5 - row], at: Position(column: 48, row: row))
                }
                return frame
            }
        }

        /// Bars of this font overflow their cells at these sizes.
        @Test(
            .enabled(if: Machine.hasXTerm && Machine.hasDejaVu, "xterm, Xvfb and DejaVu Sans Mono are not installed"),
            arguments: [9, 10, 11]
        )
        func `xterm has the same pixels after charts have moved as after a fresh drawing`(size: Int) async throws {
            let font = ["-fa", "DejaVu Sans Mono", "-fs", "\(size)"]
            let moved = try await XTerm(in: try Scratch(), columns: 60, rows: 6, options: font)
            let fresh = try await XTerm(in: try Scratch(), columns: 60, rows: 6, options: font)
            let encoder = Encoder(color: .indexed)
            for terminal in [moved, fresh] { try terminal.paint(Array(ScreenCodes.enter.utf8)) }
            var old: Frame?
            var shifts = 0
            for (number, frame) in charts().enumerated() {
                shifts += old.map { frame.shifts(from: $0).count } ?? 0
                let whole = encoder.encode(frame, over: nil)
                #expect(whole.count < 2_048)
                try moved.paint(encoder.encode(frame, over: old))
                try fresh.paint(whole)
                old = frame
                var last = ""
                try await eventually("frame \(number)", within: .seconds(3), context: { last }) {
                    for terminal in [moved, fresh] {
                        last = frame.difference(from: try await terminal.cells()) ?? ""
                        guard last.isEmpty else { return false }
                    }
                    last = try moved.pixels().difference(from: fresh.pixels()) ?? ""
                    return last.isEmpty
                }
            }
            #expect(shifts > 80, "\(shifts)")
        }
    }
}
