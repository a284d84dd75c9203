import Foundation
import Monitoring
import SettingsFile
import Testing

/// The `dashboard.toml` that the repository comes with.
struct SampleTests {
    private let text: String
    private let reader = SettingsReader(file: "dashboard.toml", environment: [:])

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        text = try String(contentsOf: root.appending(path: "dashboard.toml").standardized, encoding: .utf8)
    }

    @Test func `the sample is sound and watches both groups`() throws {
        let settings = try reader.settings(from: text)
        #expect(settings.targets.map(\.group) == ["Here", "Here", "Here", "Here", "Internet", "Internet"])
        #expect(Set(settings.targets.map(\.question.method)) == Set(Method.allCases))
        #expect(settings.targets.flatMap(\.hooks).count == 1)
    }

    @Test func `the sample takes the gateway from the environment`() throws {
        let reader = SettingsReader(file: "dashboard.toml", environment: ["REACH_GATEWAY": "192.0.2.1"])
        #expect(try reader.settings(from: text).targets.contains { $0.question == .icmp(host: "192.0.2.1") })
    }

    @Test func `the keys that the sample shows as comments are sound too`() throws {
        let settings = try reader.settings(from: activated(/# (\[\[?[a-z_.]+\]\]?|[a-z_]+ = .*)/))
        #expect(settings.targets.allSatisfy { target in target.hooks.contains { $0.events == [.up, .down] } })
    }

    @Test func `what the sample shows as defaults are the defaults`() throws {
        let settings = try reader.settings(
            from: activated(/# ((?:icmp|spread|once|at_start|cooldown|on|run|timeout) = (?!"1s").*|\[\[hook\]\])/)
        )
        let first = try #require(settings.targets.first)
        #expect(first.question == .icmp(host: "127.0.0.1"))
        #expect(first.spread == Target(name: "", question: first.question).spread)
        let command = try #require(first.hooks.first?.command)
        #expect(first.hooks == [HookRule(on: [.up, .down], run: command)])
        #expect(settings.maxHooks == Settings(targets: []).maxHooks)
        #expect(settings.history == Settings(targets: []).history)
        #expect(settings.theme == Settings(targets: []).theme)
    }

    /// The sample with the comments that match as lines of their own.
    private func activated(_ comment: Regex<(Substring, Substring)>) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.wholeMatch(of: comment).map(\.1) ?? line }
            .joined(separator: "\n")
    }
}
