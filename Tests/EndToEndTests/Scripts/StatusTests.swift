import Foundation
import Testing

/// A script line and its expected exit status.
struct StatusRow: Sendable, CustomTestStringConvertible {
    let line: String
    let status: Int32

    var testDescription: String { "\(line): \(status)" }

    init(_ status: Int32, _ line: String) {
        self.line = line
        self.status = status
    }
}

extension EndToEnd {
    /// The manual's exit statuses, with real processes. In the lines, `reach` is the program, `UP` is a listening
    /// address and `DOWN` refuses connections. `good.toml` is valid, `bad.toml` is not; the target of
    /// `blind.toml` cannot be probed.
    @Suite(.serialized) struct StatusTests {
        private static let good = """
            [[target]]
            name = "Door"
            url = "tcp://UP"
            group = "Home"
            when_reachable = "exit $CODE"
            [[target]]
            name = "Gone"
            url = "tcp://DOWN"
            depends_on = ["Door"]
            """
        private static let held = """
            [[target]]
            name = "Held"
            url = "exec:"
            exec = { run = "echo > probed; sleep 30" }
            """

        private static let blind = """
            [[target]]
            name = "Blind"
            url = "tcp://UP"
            source = "nope0"
            """

        static let rows = [
            // The condition holds.
            StatusRow(0, "reach check UP"),
            StatusRow(0, "reach check UP 127.0.0.1 --json"),
            StatusRow(0, "reach check --config good.toml @Door @group:Home"),
            StatusRow(0, "reach wait UP"),
            StatusRow(0, "reach wait --config good.toml @Door --within 8s"),
            StatusRow(0, "reach wait --any DOWN UP"),
            StatusRow(0, "reach wait --count 1 DOWN UP"),
            StatusRow(0, "reach wait --not DOWN"),
            StatusRow(0, "reach wait UP -- true"),
            StatusRow(0, "reach validate good.toml"),
            StatusRow(0, "reach validate --config good.toml"),
            StatusRow(0, "reach init new.toml && reach validate new.toml"),
            StatusRow(0, "reach init - > /dev/null"),
            StatusRow(0, "reach hooks --config good.toml"),
            StatusRow(0, "CODE=0 reach hooks --config good.toml --test Door"),
            StatusRow(0, "reach --version"),
            StatusRow(0, "reach -V | grep -q '^reach [0-9]'"),
            StatusRow(0, "reach --help && reach wait --help && reach help check"),
            // The condition does not hold.
            StatusRow(1, "reach check DOWN"),
            // The output cannot be written.
            StatusRow(1, "reach --help > /dev/full"),
            StatusRow(1, "reach --version > /dev/full"),
            StatusRow(1, "reach help wait > /dev/full"),
            StatusRow(1, "reach --generate-completion-script bash > /dev/full"),
            StatusRow(1, "reach validate good.toml > /dev/full"),
            StatusRow(1, "reach doctor --name localhost > /dev/full"),
            StatusRow(1, "reach hooks --config good.toml > /dev/full"),
            StatusRow(1, "CODE=0 reach hooks --config good.toml --test Door > /dev/full"),
            StatusRow(1, "reach init - > /dev/full"),
            StatusRow(1, "reach manual > /dev/full"),
            StatusRow(1, "reach check UP > /dev/full"),
            StatusRow(1, "reach --svg - --after 100ms UP > /dev/full"),
            StatusRow(1, "reach --svg /dev/full --after 100ms UP"),
            StatusRow(1, "reach check UP DOWN --count 2"),
            StatusRow(1, "reach check --config good.toml"),
            StatusRow(1, "reach check -q DOWN"),
            StatusRow(1, "reach validate bad.toml"),
            StatusRow(1, "reach init good.toml"),
            StatusRow(1, "reach init nowhere/new.toml"),
            StatusRow(1, "CODE=3 reach hooks --config good.toml --test Door"),
            StatusRow(1, "reach hooks --config good.toml --test Gone"),
            // The command line or the settings are invalid.
            StatusRow(2, "reach"),
            StatusRow(2, "reach UP"),
            StatusRow(2, "reach check"),
            StatusRow(2, "reach check @Door"),
            StatusRow(2, "reach check --config good.toml @Dor"),
            StatusRow(2, "reach check --config good.toml @group:Hom"),
            StatusRow(2, "reach check --config missing.toml"),
            StatusRow(2, "reach check --config bad.toml"),
            StatusRow(2, "reach check --count 0 UP"),
            StatusRow(2, "reach check --conut 1 UP"),
            StatusRow(2, "reach check tcp://127.0.0.1"),
            StatusRow(2, "reach wait"),
            StatusRow(2, "reach wait -- true"),
            StatusRow(2, "reach wait --count 3 UP DOWN"),
            StatusRow(2, "reach wait --within 30 UP"),
            StatusRow(2, "reach wait --config good.toml @Dor"),
            StatusRow(2, "reach watch --config missing.toml"),
            StatusRow(2, "reach watch --config bad.toml"),
            StatusRow(2, "reach watch --jsno UP"),
            StatusRow(2, "reach validate missing.toml"),
            StatusRow(2, "reach validate"),
            StatusRow(2, "reach validate ."),
            StatusRow(2, "reach init a b"),
            StatusRow(2, "reach hooks --config missing.toml"),
            StatusRow(2, "reach hooks --config good.toml --test Dor"),
            StatusRow(2, "reach wait UP true"),
            StatusRow(2, "reach doctor --nmae x"),
            StatusRow(2, "reach doctor --name ''"),
            StatusRow(2, "reach help nonsense"),
            StatusRow(2, "reach wacth"),
            // A target cannot be probed.
            StatusRow(3, "reach check --config blind.toml"),
            StatusRow(3, "reach check --config blind.toml --json"),
            StatusRow(3, "reach check --config blind.toml @Blind UP"),
            StatusRow(3, "reach check --config blind.toml --count 2"),
            StatusRow(1, "reach check --config blind.toml @Blind DOWN"),
            StatusRow(3, "reach wait --config blind.toml --within 300ms @Blind"),
            StatusRow(3, "reach wait --config blind.toml --within 300ms @Blind UP"),
            StatusRow(3, "reach wait --config blind.toml --within 300ms --not @Blind DOWN --interval 50ms"),
            StatusRow(124, "reach wait --config blind.toml --within 300ms @Blind DOWN"),
            StatusRow(0, "reach wait --config blind.toml --any @Blind UP"),
            // The timeout expired.
            StatusRow(124, "reach wait --within 300ms DOWN"),
            StatusRow(124, "reach wait --within 300ms DOWN -- touch never; s=$?; [ -e never ] && exit 99; exit $s"),
            StatusRow(124, "reach wait --within 300ms --all UP DOWN"),
            StatusRow(124, "reach wait --within 300ms --count 2 UP DOWN"),
            StatusRow(124, "reach wait --within 600ms --not UP"),
            // The command's own status.
            StatusRow(7, "reach wait UP -- sh -c 'exit 7'"),
            StatusRow(1, "reach wait UP -- false"),
            StatusRow(126, "reach wait UP -- ./good.toml"),
            StatusRow(126, "reach wait UP -- /tmp"),
            StatusRow(127, "reach wait UP -- ./missing"),
            StatusRow(127, "reach wait UP -- no-such-command"),
            StatusRow(127, "reach wait UP -- ./good.toml/missing"),
            StatusRow(137, "reach wait UP -- sh -c 'kill -KILL $$'"),
            StatusRow(143, "reach wait UP -- sh -c 'kill -TERM $$'"),
        ]

        @Test(arguments: rows)
        func `the exit status matches the manual`(_ row: StatusRow) async throws {
            let scratch = try Scratch()
            let (open, closed) = (try Listener(), try Listener())
            closed.stop()
            let filled = { (text: String) in
                text.replacing("UP", with: "127.0.0.1:\(open.port)").replacing("DOWN", with: "127.0.0.1:\(closed.port)")
            }
            try await eventually("closed port") { Listener.listen(on: closed.port).map { close($0) } != nil }
            try scratch.write(filled(Self.good), to: "good.toml")
            try scratch.write(filled(Self.blind), to: "blind.toml")
            try scratch.write("[[target]]\nurl = 3\n", to: "bad.toml")
            let line = "reach() { \(Program.path) \"$@\"; }\n\(filled(row.line))"
            let tool = try Tool.run(["sh", "-c", line], in: scratch.path)
            #expect(tool.status == row.status, "\(tool.output)\(tool.errors)")
            // A failure is reported in one or more lines, unless it is the command's own.
            let isReportedByCommand = row.line.contains(" -- ") && ![124, 126, 127].contains(row.status)
            if row.status > 1, !isReportedByCommand {
                #expect(tool.errorLines.first?.hasPrefix("reach: ") == true, "\(tool.errors)")
            }
        }

        @Test(arguments: ["check", "wait @Held -- touch never", "watch"], [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        func `a signal ends it with 128+n and runs nothing`(_ words: String, _ signal: Int32) async throws {
            // SIGHUP makes `watch` reload its settings.
            if words == "watch", signal == SIGHUP { return }
            let scratch = try Scratch()
            try scratch.write(Self.held, to: "dashboard.toml")
            let child = try scratch.start([Program.path] + words.split(separator: " ").map(String.init))
            try await eventually("probe") { FileManager.default.fileExists(atPath: scratch.file("probed")) }
            child.send(signal)
            #expect(try await child.end() == 128 + signal)
            #expect(scratch.text(of: "out") == "" && scratch.text(of: "err") == "")
            #expect(!FileManager.default.fileExists(atPath: scratch.file("never")))
        }
    }
}
