import Foundation
import Testing

extension EndToEnd {
    /// Reload of the settings in the running program.
    @Suite(.serialized, .enabled(if: Machine.hasTmux, "tmux is not installed")) struct ReloadTests {
        /// The trigger of the dashboard's reload.
        enum Way: Sendable {
            case key, signal
        }

        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        @discardableResult
        private func write(_ names: String...) throws -> String {
            let targets = names.map { name in
                """
                [[target]]
                name = "\(name)"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "300ms"

                """
            }
            return try scratch.write(targets.joined(), to: "settings.toml")
        }

        private func reload(_ way: Way, _ screen: Screen) async throws {
            switch way {
            case .key: try screen.press("C-r")
            case .signal: kill(try await scratch.number(in: "pid"), SIGUSR1)
            }
        }

        /// The age in the last column, in seconds.
        private func age(in row: String) -> Int? {
            row.split(separator: " ").last.flatMap { Int($0.dropLast()) }
        }

        @Test(arguments: [Way.key, .signal])
        func `a valid file adds and removes targets, and keeps unchanged ones`(_ way: Way) async throws {
            let path = try write("Stays", "Goes")
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 2 up")
            try await eventually("age of two seconds", context: { screen.text }) {
                try screen.rows.contains { $0.contains("● Stays") && (age(in: $0) ?? 0) >= 2 }
            }
            try write("Stays", "Comes")
            try await reload(way, screen)
            try await screen.wait(for: "settings read again: 1 added, 1 removed")
            let row = try await screen.wait(forRowWith: "● Comes", " up ")
            #expect(try #require(age(in: row)) <= 1)
            let rows = try screen.rows.prefix { !$0.contains("Events") }
            #expect(!rows.contains { $0.contains("Goes") })
            let stays = try #require(rows.first { $0.contains("● Stays") })
            #expect(try #require(age(in: stays)) >= 2, "the target lost its history")
        }

        @Test(arguments: [Way.key, .signal])
        func `an invalid file is rejected with its problem, and the old settings stay`(_ way: Way) async throws {
            let path = try write("Stays")
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 1 up")
            try scratch.write("[[target]]\nurl = \"tcp://127.0.0.1\"\n", to: "settings.toml")
            try await reload(way, screen)
            try await screen.wait(forRowWith: "!", "settings refused, the old ones keep running", "settings.toml:2")
            let count = listener.count
            try await eventually("another probe") { listener.count > count }
            try await screen.wait(forRowWith: "● Stays", " up ")

            try write("Stays")
            try await reload(way, screen)
            try await eventually("end of the rejection", context: { screen.text }) {
                try !(screen.rows.dropFirst().first?.contains("refused") ?? true)
            }
        }

        @Test func `a file that appears in an included folder is read without a key`() async throws {
            try FileManager.default.createDirectory(atPath: scratch.file("conf.d"), withIntermediateDirectories: true)
            let path = try write("Stays")
            try scratch.write("include = \"conf.d/*.toml\"\n" + scratch.text(of: "settings.toml"), to: "settings.toml")
            try scratch.write("# None yet.\n", to: "conf.d/a.toml")
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 1 up")
            let target = "[[target]]\nname = \"Comes\"\nurl = \"tcp://127.0.0.1:\(listener.port)\"\n"
            try scratch.write(target, to: "conf.d/b.toml")
            try await screen.wait(forRowWith: "● Comes", " up ")
            try scratch.write("[[target]]\n", to: "conf.d/a.toml")
            try await screen.wait(forRowWith: "!", "settings refused", "conf.d/a.toml:1")
        }

        @Test func `watch reloads on SIGHUP`() async throws {
            let path = try write("Stays")
            let child = try scratch.start([Program.path, "watch", "--config", path])
            try await eventually("first verdict") { scratch.lines(of: "out").count == 1 }
            try write("Stays", "Comes")
            child.send(SIGHUP)
            try await eventually("verdict of the new target") {
                scratch.lines(of: "out").contains { $0.hasSuffix("  Comes  up") }
            }
            // The unchanged target keeps its verdict.
            #expect(scratch.lines(of: "out").count == 2)

            try scratch.write("[[target]]\nurl = \"tcp://127.0.0.1\"\n", to: "settings.toml")
            child.send(SIGHUP)
            try await eventually("rejection") { scratch.text(of: "err").contains("settings.toml:2") }
            #expect(scratch.text(of: "err").contains("the old ones keep running"))
            let count = listener.count
            try await eventually("another probe") { listener.count > count }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}
