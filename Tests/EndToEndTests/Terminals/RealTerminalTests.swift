import Foundation
import ReachDashboard
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachScreen
@testable import ReachTerminal

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
            var moves = 0
            for (number, frame) in charts().enumerated() {
                moves += old.map { frame.changes(from: $0).moves.count } ?? 0
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
            #expect(moves > 80, "\(moves)")
        }
    }
}

/// A dashboard with target names whose width differs between terminals, and a sequence of frames through all views.
struct NameShowcase {
    /// Target names. Text after a name must stay in its column.
    static let names = [
        "Router", "打印机", "プリンター", "ｶﾒﾗ 2", "라우터 3", "\u{1112}\u{1161}\u{11AB} jamo", "cafe\u{301}",
        "a\u{300}\u{301}\u{302}b",
        "น้ำแข็ง", "नमस्ते का", "שלום 12", "خادم 7", "می\u{200C}خواهم", "👨‍👩‍👧‍👦 home", "🇩🇪🇫🇷 line", "👍🏽 good",
        "👩🏽‍🚀", "1\u{FE0F}\u{20E3} key", "❤\u{FE0F} heart", "❤\u{FE0E} text", "⌚ clock",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} scot",
        "\u{E0B0} font", "🫠 new", "﷽ long", "zero\u{200B}width", "turn\u{202E}ed", "bell\u{7}", "\u{1B}[31mred",
        "𝒳 maths", "Straße",
    ]

    private(set) var model: Model

    init(columns: Int, rows: Int, glyphs: Glyphs = .unicode) {
        model = Model(
            source: "dashboard.toml",
            size: Size(columns: columns, rows: rows),
            glyphs: glyphs,
            themeOverride: .dark,
            wall: WallTime(start: .seconds(1_795_183_351))
        )
        let targets = Self.names.enumerated().map { index, name in
            Target.make(name, url: "tcp://192.0.2.\(index + 1):80", group: index < 12 ? "Büro 東京" : "👨‍👩‍👧 rest")
        }
        _ = model.update(Event(.settings(Settings(targets: targets)), at: .zero))
        for step in 1...20 { record(step) }
    }

    /// Records a probe of every target; some are lost.
    private mutating func record(_ step: Int) {
        let now = Duration.seconds(step)
        let findings = model.roster.states.enumerated().map { index, state in
            let isLost = index % 5 == 3 && step > 14
            let outcome: Outcome =
                isLost ? .failure(Failure(.refused)) : .reply(roundTrip: .milliseconds(1 + (index * 7 + step * 3) % 40))
            return Finding.observation(
                Observation(target: state.id, sequence: step, time: now, outcome: outcome)
            )
        }
        _ = model.update(Event(.findings(findings), at: now))
        _ = model.update(Event(.tick(WallTime(start: .seconds(1_795_183_351))), at: now))
    }

    /// Returns the frames of key presses through every view, with several names selected.
    mutating func frames() -> [Frame] {
        let pages: [[Key]] = [
            [], [.home, .down], [.pageDown], [.end], [.up, .up], [.character("2")], [.right, .down], [.character("3")],
            [.pageDown], [.enter], [.escape, .character("1"), .pageUp, .enter], [.escape, .character("e")],
            [.pageUp], [.character("h")], [.escape, .character("?")], [.escape, .character("1")],
            [.character("/"), .character("👍"), .character("é")], [.escape, .home, .left], [.right],
        ]
        let views = pages.map { keys in
            for key in keys { _ = model.update(Event(.key(key), at: .zero)) }
            return model.draw()
        }
        // The charts advance by one or several columns.
        return views
            + [21, 22, 25, 30, 32].map { step in
                record(step)
                return model.draw()
            }
    }
}

extension Frame {
    /// The grapheme clusters whose width differs between terminals.
    var contested: Set<Character> {
        Set(lines.joined().map(\.character).filter(\.hasContestedWidth))
    }

    /// Describes the first cell in which a terminal shows something else; nil if there is none.
    ///
    /// A cluster of contested width may look different, if it begins in its column and no other cluster is in its
    /// columns.
    func difference(from shown: [[String]]) -> String? {
        for row in 0..<size.rows {
            let line = row < shown.count ? shown[row] : []
            var expected: Character = " "
            for column in 0..<size.columns {
                let cell = self[column: column, row: row]
                let isFirst = !cell.isContinuation
                if isFirst { expected = cell.character }
                let actual = column < line.count ? line[column] : " "
                let isRight =
                    expected.hasContestedWidth
                    ? expected.isShown(by: actual, isFirst: isFirst) : actual == (isFirst ? String(expected) : "")
                if !isRight {
                    let text = text.split(separator: "\n", omittingEmptySubsequences: false)[row]
                    return "row \(row), column \(column): \"\(actual)\" for \"\(expected)\"\n\(text)\n\(line.joined())"
                }
            }
        }
        return nil
    }
}

extension Character {
    /// Whether a terminal's cell is valid for this cluster, in its first or its second column.
    fileprivate func isShown(by text: String, isFirst: Bool) -> Bool {
        let parts = Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars)
        let actual = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        return isFirst ? actual.first == parts.first : actual.allSatisfy { $0 == " " || parts.contains($0) }
    }
}

/// The pixels of a display, with their colours.
struct Pixels: Equatable {
    /// Four bytes each, row by row.
    private let bytes: Data
    private let rowLength: Int

    /// Reads the format of xwd(1): a header of numbers of four bytes, the colour map, and the rows.
    init(xwd data: Data) throws {
        let number = { (index: Int) in data[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard data.count > 100, case let start = number(0) + 12 * number(19), start < data.count else {
            throw CocoaError(.fileReadCorruptFile)
        }
        bytes = data[start...]
        rowLength = number(12)
    }

    /// Describes the first pixel that differs, and the number of them; nil if none does.
    func difference(from other: Pixels) -> String? {
        guard bytes != other.bytes else { return nil }
        let pairs = zip(bytes, other.bytes).enumerated()
        let places = Set(pairs.lazy.filter { $0.element.0 != $0.element.1 }.map { $0.offset / 4 })
        guard let first = places.min() else { return "another size" }
        return "\(places.count) pixels, the first at \(first * 4 % rowLength / 4), \(first * 4 / rowLength)"
    }
}
