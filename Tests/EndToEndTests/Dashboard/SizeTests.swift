import Testing

extension EndToEnd {
    /// Drawing in terminals of every size.
    @Suite(.serialized, .enabled(if: Machine.hasTmux, "tmux is not installed")) struct SizeTests {
        private static let names = ["Router", "打印机", "Staging 🚧", "cafe\u{301}", "라우터 3", "Plain"]

        private func settings(_ scratch: Scratch, port: UInt16) throws -> String {
            let targets = Self.names.map { "[[target]]\nname = \"\($0)\"\nurl = \"tcp://127.0.0.1:\(port)\"\n" }
            return try scratch.write("[defaults]\ninterval = \"300ms\"\n" + targets.joined(), to: "settings.toml")
        }

        @Test(arguments: [(20, 5), (40, 10), (80, 24), (200, 50), (300, 100)])
        func `the frame fills every size and never wraps`(columns: Int, rows: Int) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let path = try settings(scratch, port: listener.port)
            let screen = try Screen.running("--config \(path)", in: scratch, columns: columns, rows: rows)
            // The narrowest of these terminals has no room for the words of the header.
            let count = columns > 20 ? "● 6 up" : "●6"
            try await screen.wait(for: count)
            let lines = try screen.rows
            #expect(lines.count == rows)
            #expect(try screen.unwrappedLines == rows, "a line wraps")
            #expect(lines.allSatisfy { $0.columns <= columns })
            #expect(lines.first?.contains(count) == true)
            #expect(lines.last?.contains("? help") == true, "\(lines)")
            #expect(lines.contains { $0.contains("Router") })
        }

        @Test func `after many resizes the frame matches the last size`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let path = try settings(scratch, port: listener.port)
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 6 up")
            for _ in 0..<50 {
                try screen.resize(columns: .random(in: 10...250), rows: .random(in: 2...80))
            }
            try screen.resize(columns: 100, rows: 30)
            let fresh = try Screen.running("--config \(path)", in: try Scratch(), columns: 100, rows: 30)
            try await fresh.wait(for: "● 6 up")

            // Figures change; everything else must be equal, on the same row.
            let outline = { (screen: Screen) in
                try screen.rows.prefix { !$0.contains("Events") }.map { $0.prefix(45).filter { !$0.isNumber } }
                    + [String(screen.rows.last?.prefix(90) ?? "")]
            }
            try await eventually("equal frame", context: { "\(screen.text)\n\n\(fresh.text)" }) {
                try outline(screen) == outline(fresh)
            }
            #expect(try screen.rows.count == 30)
            try screen.press("?")
            try await screen.wait(for: " Help ")
        }

        @Test(arguments: [80, 120, 200])
        func `wide characters do not shift the columns after them`(columns: Int) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let path = try settings(scratch, port: listener.port)
            let screen = try Screen.running("--config \(path)", in: scratch, columns: columns, rows: 30)
            try await screen.wait(for: "● 6 up")
            // The narrowest of these terminals shortens the host, but not the port.
            let host = columns > 80 ? "127.0.0.1:" : "127."
            let rows = try screen.rows.filter { $0.contains(host) && $0.contains(" up ") }
            #expect(rows.count == Self.names.count)
            // The unit of the last round trip is milliseconds or microseconds.
            for word in [host, " up ", "s ", "%"] {
                #expect(Set(rows.map { $0.column(of: word) }).count == 1, "\(word) in:\n\(screen.text)")
            }
            for name in Self.names {
                // The narrowest of these terminals has no room for the end of a long name.
                #expect(rows.contains { $0.contains(columns > 80 ? name[...] : name.prefix(4)) }, "\(name)")
            }
        }
    }
}
