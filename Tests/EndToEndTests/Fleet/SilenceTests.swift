import Foundation
import Testing

extension EndToEnd {
    /// Silences by `reach fleet` in Debian's Alertmanager, which requires a password.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasPrometheus, "prometheus is not installed"),
        .enabled(if: Machine.hasAlertmanager, "prometheus-alertmanager or curl is not installed"),
        .enabled(if: Machine.hasTmux, "tmux is not installed")
    ) struct SilenceTests {
        /// The hash of `secret-word` by bcrypt, with a cost of 4.
        private static let hash = "$2b$04$abcdefghijklmnopqrstuujV0zJ3tj1V5vPQQ5i8Bd/sbbeTbZTaC"

        @Test func `the words of the server are shown, and a silence with the right password`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let point = try await ListeningWatch(
                "[[target]]\nname = \"Shop\"\nurl = \"tcp://127.0.0.1:\(listener.port)\"\ninterval = \"200ms\"\n"
            )
            let prometheus = try Prometheus(vantagePoints: [("fra", point.port)], in: scratch)
            let alertmanager = try await Alertmanager(in: scratch, users: ["kim": Self.hash])
            _ = try await prometheus.samples("reach_up == 1")
            let password = try scratch.write("wrong-word\n", to: "password")
            let words = [
                Program.path, "fleet", "--no-history", "--alertmanager", alertmanager.address, "--user", "kim",
                "--password-file", password, "--log", scratch.file("log"), "-vv",
                "http://127.0.0.1:\(prometheus.port)",
            ]
            let screen = try Screen(words.joined(separator: " "), in: scratch)
            try await screen.wait(forRowWith: "Shop", "up", within: .seconds(15))
            try screen.press("End", "A")
            try await screen.wait(for: "silence Shop:")
            try screen.enter("upgrade")
            try await screen.wait(for: #"silence target="Shop" for 2h at \#(alertmanager.address)? upgrade"#)
            try screen.press("y")
            try await screen.wait(for: #"target="Shop" not silenced: HTTP 401"#)
            // The file is read for each request.
            try scratch.write("secret-word\n", to: "password")
            try screen.press("A")
            try await screen.wait(for: "silence Shop:")
            try screen.enter("upgrade")
            try screen.press("y")
            try await screen.wait(for: #"silenced target="Shop" for 2h: upgrade"#)
            let silences = try alertmanager.request("/api/v2/silences", "-u", "kim:secret-word").output
            #expect(silences.contains(#""name":"target","value":"Shop""#), "\(silences)")
            #expect(!(screen.text + scratch.text(of: "log")).contains("-word"))
            try screen.press("q")
        }
    }
}
