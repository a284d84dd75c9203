import Foundation
import ReachMonitoring
import ReachSettings
import Testing

/// The `dashboard.toml` of the repository.
struct SampleTests {
    private let text: String
    private let reader = SettingsReader(file: "dashboard.toml", environment: [:])

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        text = try String(contentsOf: root.appending(path: "dashboard.toml").standardized, encoding: .utf8)
    }

    @Test func `the sample is valid and has both groups`() throws {
        let settings = try reader.settings(from: text)
        let groups = settings.targets.map(\.group)
        #expect(groups == groups.filter { $0 == "Here" } + groups.filter { $0 == "Internet" })
        #expect(settings.targets.flatMap(\.hooks).count == 1)
    }

    @Test func `the sample probes only this machine, its gateway and its resolvers`() throws {
        for target in try reader.settings(from: text).targets {
            switch target.question {
            case .dns(let question): #expect(question.server == .system, "\(target.name)")
            // A lookup of a route sends nothing.
            case .link, .exec, .route: break
            default: #expect(["127.0.0.1", "::1", "192.168.1.1"].contains(target.question.host), "\(target.name)")
            }
        }
    }

    @Test func `the sample reads the gateway from the environment`() throws {
        let reader = SettingsReader(file: "dashboard.toml", environment: ["REACH_GATEWAY": "192.0.2.1"])
        #expect(try reader.settings(from: text).targets.contains { $0.question == .icmp(host: "192.0.2.1") })
    }

    @Test func `the commented keys of the sample are valid`() throws {
        let settings = try reader.settings(from: activated(/# (\[\[?[a-z_.]+\]\]?|[a-z_.]+ = .*)/))
        #expect(settings.targets.allSatisfy { target in target.hooks.contains { $0.events == [.up, .down] } })
        #expect(Set(settings.targets.map(\.question.method)) == Set(Method.settable))
    }

    @Test func `the request of the sample can replace its command`() throws {
        let requests = text.replacing("# run = ", with: "# in its place: ").replacing(
            "#   request = ",
            with: "request = "
        )
        let request = try #require(requests.split(separator: "\n").first { $0.hasPrefix("request = ") })
        let plain = requests.replacing("\(request)\n", with: "").replacing(
            "# [[hook]]\n",
            with: "[[hook]]\n\(request)\n"
        )
        let hooks = try reader.settings(from: plain.replacing("# on = ", with: "on = ")).targets.first?.hooks
        #expect(hooks?.first.map { "\($0.action)" } == "POST https://example.net/hook?…")
    }

    @Test func `the sample shows every option of every method`() {
        let options = [
            "icmp 3", "tcp 2", "session 4", "tls 7", "http 11", "dns 3", "udp 2", "redis 2", "postgres 1", "exec 1",
        ]
        for line in options {
            let words = line.split(separator: " ")
            let count = text.split(separator: "\n").count { $0.hasPrefix("# \(words[0]).") }
            #expect(String(count) == words[1], "\(words[0])")
        }
    }

    @Test func `the defaults in the sample are the real defaults`() throws {
        let options =
            "columns|icmp.\\w+|session.(?:keepalive|idle_close)|tls.verify|http.(?:method|follow|retries|proxy)|dns.(?:rcode|transport)"
        let keys = "spread|family|once|at_start|min_down|cooldown|retries|allow_cellular|on|run|timeout|\(options)"
        let comment = try Regex("# ((?:\(keys)) = (?!\"1s\").*|\\[\\[hook\\]\\])", as: (Substring, Substring).self)
        let plain = try reader.settings(from: text)
        let settings = try reader.settings(from: activated(comment))
        #expect(settings.targets.map(\.question) == plain.targets.map(\.question))
        #expect(settings.targets.map(\.spread) == plain.targets.map(\.spread))
        #expect(settings.targets.map(\.label) == plain.targets.map(\.label))
        let first = try #require(settings.targets.first)
        let action = try #require(first.hooks.first?.action)
        #expect(first.hooks == [HookRule(on: [.up, .down], run: action)])
        #expect(settings.maxHooks == Settings(targets: []).maxHooks)
        #expect(settings.history == Settings(targets: []).history)
        #expect(settings.theme == Settings(targets: []).theme)
        #expect(settings.columns == Settings(targets: []).columns)
    }

    /// Returns the sample with the matching comments uncommented.
    private func activated(_ comment: Regex<(Substring, Substring)>) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.wholeMatch(of: comment).map(\.1) ?? line }
            .joined(separator: "\n")
    }
}

/// Each file in `Invalid` has one mistake, or as many as its name says, and begins with the expected problems.
struct InvalidSettingsTests {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Invalid")
    private static let prefix = "# expect: "

    private static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
        .filter { $0.hasSuffix(".toml") }
        .sorted()

    @Test func `the directory has files`() {
        #expect(Self.names.count >= 130)
    }

    @Test(arguments: names)
    func `every mistake is reported in one line with position, problem and fix`(name: String) throws {
        let text = try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
        let expected = text.split(separator: "\n")
            .prefix { $0.hasPrefix(Self.prefix) }
            .map { String($0.dropFirst(Self.prefix.count)) }
        #expect(!expected.isEmpty)

        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        #expect(failure?.lines == expected)
    }

    @Test func `ten mistakes are reported together, in the order of their lines`() throws {
        let text = try String(contentsOf: Self.directory.appending(path: "ten-faults.toml"), encoding: .utf8)
        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        guard case .problems(let problems) = failure else {
            Issue.record("expected problems, got \(String(describing: failure))")
            return
        }
        let lines = problems.compactMap(\.line)
        #expect(lines.count == 10)
        #expect(lines == lines.sorted())
    }
}
