import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The lines of `reach watch`, checked against their schema.
    @Suite(.serialized) struct LineTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }

        private func watch(_ options: [String], _ settings: String) throws -> Child {
            try scratch.start([Program.path, "watch", "--config", try fixture.settings(settings)] + options)
        }

        private static let hooks = """
            [[target.hooks]]
            on = ["up", "down"]
            at_start = true
            run = "cat >> inputs; echo said; exit 3"
            """

        @Test func `each transition, probe and hook run is an object`() async throws {
            let child = try watch(["--json", "--observations"], Self.hooks)
            let has = { (words: String) in scratch.lines(of: "out").contains { $0.contains(words) } }
            try await eventually("up") { has(#""to":"up""#) && has(#""event":"up""#) }
            fixture.listener.stop()
            try await eventually("down") { has(#""to":"down""#) && has(#""event":"down""#) }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)

            let schema = try Schema("events")
            let lines = scratch.lines(of: "out")
            for line in lines { #expect(try schema.problems(of: line) == [], "\(line)") }
            for line in scratch.lines(of: "inputs") {
                #expect(try Schema("hook-input").problems(of: line) == [], "\(line)")
            }
            #expect(scratch.lines(of: "inputs").count == 2)
            #expect(has(#""outcome":"reply""#) && has(#""outcome":"failure","reason":"refused""#))
            #expect(has(#""exit_code":3"#) && has(#""output":"said\n""#))
            // With --json, standard error stays empty.
            #expect(scratch.text(of: "err") == "")

            // Probe numbers have no gaps, and a probe's line precedes that of its transition.
            let down = try #require(lines.firstIndex { $0.contains(#""to":"down""#) })
            #expect(lines[..<down].count { $0.contains(#""outcome":"failure""#) } >= 3)
            let numbers = lines.compactMap { $0.firstMatch(of: #/"sequence":(\d+)/#).flatMap { Int($0.1) } }
            #expect(numbers == Array(1...numbers.count))
        }

        @Test func `each probe is a line of text`() async throws {
            let child = try watch(["--observations", "--quiet"], Self.hooks)
            try await eventually("probes") { scratch.lines(of: "out").count > 3 }
            try await eventually("hook") { scratch.lines(of: "inputs").count == 1 }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            let words = scratch.lines(of: "out").map { String($0.dropFirst(32)) }
            #expect(words.first?.wholeMatch(of: /reply in (\d+\.\d{3}ms|\d+µs)/) != nil, "\(words)")
            #expect(words.dropFirst().first == "up")
            #expect(scratch.text(of: "err") == "")
        }
    }
}
