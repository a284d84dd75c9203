import Testing

@testable import Screen
@testable import TerminalIO

extension EndToEnd {
    /// Every terminal shows the frames as they were meant, whatever it thinks of the width of a name.
    @Suite struct RealTerminalTests {
        /// Paints one frame over the other, and names the first cells in which the terminal shows something else.
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
        func `tmux shows what was meant`(columns: Int, rows: Int) async throws {
            var show = NameShow(columns: columns, rows: rows)
            let frames = show.frames()
            let terminal = try await Tmux(
                in: try Scratch(),
                columns: columns,
                rows: rows,
                measuring: frames.reduce(into: []) { $0.formUnion($1.contested) }
            )
            try await paint(frames, on: terminal)
        }

        @Test(.enabled(if: Machine.hasXTerm, "xterm and Xvfb are not installed"), arguments: [(80, 24), (120, 36)])
        func `xterm shows what was meant`(columns: Int, rows: Int) async throws {
            var show = NameShow(columns: columns, rows: rows)
            let terminal = try await XTerm(in: try Scratch(), columns: columns, rows: rows)
            try await paint(show.frames(), on: terminal)
        }
    }
}
