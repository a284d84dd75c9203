import Foundation
import TestSupport
import Testing

/// A command line of `reach check --format nagios`, its exit status, and the beginning of its line.
struct PluginRow: Sendable, CustomTestStringConvertible {
    let words: String
    let status: Int32
    let text: String

    var testDescription: String { "\(words): \(status)" }

    init(_ status: Int32, _ words: String, _ text: String) {
        self.words = words
        self.status = status
        self.text = text
    }
}

extension EndToEnd {
    /// `reach check` as a plugin. `UP` is a listening address and `DOWN` refuses connections.
    @Suite(.serialized) struct PluginTests {
        private static let settings = """
            [[target]]
            name = "Door"
            url = "tcp://UP"
            [[target]]
            name = "Gone"
            url = "tcp://DOWN"
            [[target]]
            name = "Blind"
            url = "tcp://UP"
            source = "nope0"
            [[target]]
            name = "Disk"
            url = "exec:"
            exec = { run = "echo '93 % | full'; exit 2" }
            """

        static let rows = [
            PluginRow(0, "@Door", "OK - Door up, rta "),
            PluginRow(0, "@Door --count 2", "OK - Door up, rta "),
            PluginRow(0, "@Door UP", "OK - 2 up | up=2;;;0;2 degraded=0;;;0;2 down=0;;;0;2 unknown=0;;;0;2 'D"),
            PluginRow(1, "@Disk", "WARNING - Disk degraded (93 % / full)"),
            PluginRow(1, "@Door @Disk @Blind", "WARNING - 1 degraded: Disk (93 % / full); 1 unknown: Blind ("),
            PluginRow(2, "@Gone", "CRITICAL - Gone down (refused) | rta=U;;;0 pl=100%;;;0;100"),
            PluginRow(2, "", "CRITICAL - 1 down: Gone (refused); 1 degraded: Disk (93 % / full); 1 unknown: Blind ("),
            PluginRow(2, "--config source.toml", "CRITICAL - Gone down (refused); source http://DOWN/: refused | "),
            PluginRow(3, "@Blind", "UNKNOWN - Blind cannot be probed ("),
            PluginRow(3, "@Door @Blind", "UNKNOWN - 1 unknown: Blind ("),
            PluginRow(3, "@Dor", "UNKNOWN - no target \"Dor\" in the settings"),
            PluginRow(3, "@Door --count 0", "UNKNOWN - --count 0: must be between 1 and 1000"),
            PluginRow(3, "@Door --conut 1", "UNKNOWN - Unknown option"),
            PluginRow(3, "@Door --json", "UNKNOWN - --json and --format nagios cannot be combined"),
            PluginRow(3, "@Door --status 200", "UNKNOWN - --status: applies to none of the targets"),
            PluginRow(3, "--config missing.toml", "UNKNOWN - "),
            PluginRow(3, "--config bad.toml", "UNKNOWN - bad.toml:2:7: "),
        ]

        @Test(arguments: rows)
        func `the status and the line follow the guidelines for plugins`(_ row: PluginRow) async throws {
            let scratch = try Scratch()
            let (open, closed) = (try Listener(), try Listener())
            closed.stop()
            let filled = { (text: String) in
                text.replacing("UP", with: "127.0.0.1:\(open.port)")
                    .replacing("DOWN", with: "127.0.0.1:\(closed.port)")
            }
            try scratch.write(filled(Self.settings), to: "dashboard.toml")
            try scratch.write("[[target]]\nurl = 3\n", to: "bad.toml")
            let source = "[[source]]\nhttp = \"http://DOWN/\"\n[[target]]\nname = \"Gone\"\nurl = \"tcp://DOWN\"\n"
            try scratch.write(filled(source), to: "source.toml")
            var words = filled(row.words).split(separator: " ").map(String.init)
            if !words.contains("--config") { words += ["--config", "dashboard.toml"] }
            let tool = try Tool.run([Program.path, "check", "--format", "nagios"] + words, in: scratch.path)
            #expect(tool.status == row.status, "\(tool.output)\(tool.errors)")
            #expect(tool.errors == "" && tool.lines.count == 1, "\(tool.output)\(tool.errors)")
            #expect(tool.output.hasPrefix(filled(row.text)), "\(tool.output)")
            try Self.expectPerformanceData(in: tool.output)
        }

        @Test func `a signal and a full disk are unknown`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let door = "127.0.0.1:\(listener.port)"
            let full = ["sh", "-c", "\(Program.path) check --format nagios \(door) > /dev/full"]
            #expect(try Tool.run(full, in: scratch.path).status == 3)
            let held = "[[target]]\nname = \"Held\"\nurl = \"exec:\"\nexec = { run = \"echo > probed; sleep 30\" }\n"
            try scratch.write(held, to: "dashboard.toml")
            for signal in [SIGTERM, SIGALRM, SIGUSR1, SIGUSR2] {
                let child = try scratch.start([Program.path, "check", "--format=nagios"])
                try await eventually("probe") { FileManager.default.fileExists(atPath: scratch.file("probed")) }
                try FileManager.default.removeItem(atPath: scratch.file("probed"))
                child.send(signal)
                #expect(try await child.end() == 3)
                #expect(scratch.text(of: "out") == "UNKNOWN - ended by signal \(signal)\n")
            }
        }

        @Test func `the line has no query and no value of a variable`() throws {
            let scratch = try Scratch()
            let closed = try Listener()
            closed.stop()
            let door = "127.0.0.1:\(closed.port)"
            try scratch.write(
                "[[target]]\nurl = \"http://\(door)/a?token=squirrel\"\n"
                    + "[[target]]\nname = \"${PLACE}\"\nurl = \"tcp://\(door)\"\n",
                to: "dashboard.toml"
            )
            let words = ["env", "PLACE=Walnut", Program.path, "check", "--format", "nagios"]
            let line = try Tool.run(words, in: scratch.path).output
            #expect(line.hasPrefix("CRITICAL - 2 down: \(door)/a (refused), ${PLACE} (refused) |"), "\(line)")
            #expect(line.contains("'\(door)/a rta'=") && !line.contains("squirrel") && !line.contains("Walnut"))
        }

        @Test func `options before the command are unknown`() throws {
            let scratch = try Scratch()
            let tool = try Tool.run([Program.path, "--format", "nagios", "check", "192.0.2.1"], in: scratch.path)
            #expect(tool.status == 3 && tool.output.hasPrefix("UNKNOWN - the options of \"check\" are before it"))
        }

        @Test func `help and version are no result, and the line has the characters of the locale`() throws {
            let scratch = try Scratch()
            for option in ["--help", "--version"] {
                let tool = try Tool.run([Program.path, "check", "--format", "nagios", option], in: scratch.path)
                #expect(tool.status == 3 && !tool.output.isEmpty, "\(option): \(tool.output)")
            }
            let listener = try Listener()
            let settings = "[[target]]\nname = \"Tür\"\nurl = \"tcp://127.0.0.1:\(listener.port)\"\n"
            try scratch.write(settings, to: "dashboard.toml")
            let line = try Tool.run(["env", "LC_ALL=C", Program.path, "check", "--format=nagios"], in: scratch.path)
            #expect(line.status == 0 && line.output.utf8.allSatisfy { $0 < 0x80 }, "\(line.output)")
        }

        @Test func `other formats are those of --format`() throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let reach = [Program.path, "check", "127.0.0.1:\(listener.port)", "--format"]
            let json = try Tool.run(reach + ["json"], in: scratch.path)
            #expect(try json.status == 0 && Schema("targets").problems(of: json.output) == [])
            #expect(try Tool.run(reach + ["table"], in: scratch.path).lines.first?.hasPrefix("TARGET") == true)
            #expect(try Tool.run(reach + ["xml"], in: scratch.path).status == 2)
        }

        /// Expects each figure to be `label=value[UOM];[warn];[crit];[min];[max]`.
        private static func expectPerformanceData(in line: String) throws {
            let parts = line.split(separator: "|", maxSplits: 1)
            guard parts.count == 2 else { return }
            let figure = #/('(?:[^'=|]|'')+'|[a-z]+)=(U|-?[0-9.]+(?:ms|%)?);[0-9.]*;[0-9.]*;[0-9.]*(?:;[0-9.]*)?/#
            let rest = parts[1].replacing(figure, with: "").filter { !$0.isWhitespace }
            #expect(rest.isEmpty, "not performance data: \(rest) in \(line)")
        }
    }
}
