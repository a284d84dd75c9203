import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach watch`: the engine without a screen.
    @Suite(.serialized) struct WatchTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }
        private var listener: Listener { fixture.listener }

        private func wait(forLines count: Int) async throws {
            try await eventually("\(count) lines", context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                scratch.lines(of: "out").count >= count
            }
        }

        @Test func `without targets, it waits for a reload, and an empty file does not end the probing`() async throws {
            let path = try scratch.write("# nothing yet\n", to: "empty.toml")
            let child = try scratch.start([Program.path, "watch", "--config", path])
            try await eventually("message", context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").contains("no targets in \(path): nothing is probed until a reload")
            }
            try scratch.write("[[target]]\nurl = \"tcp://127.0.0.1:\(listener.port)\"\n", to: "empty.toml")
            child.send(SIGHUP)
            try await wait(forLines: 1)
            try scratch.write("\n", to: "empty.toml")
            child.send(SIGHUP)
            try await eventually("refusal", context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").contains("\(path): the file is empty\n")
            }
            for text in ["# nothing any more\n", "[[target]]\nurl = \"tcp://h.example:1\"\nenabled = false\n"] {
                let before = scratch.text(of: "err").components(separatedBy: "nothing is probed").count
                try scratch.write(text, to: "empty.toml")
                child.send(SIGHUP)
                try await eventually("no targets", context: { scratch.text(of: "err") }) {
                    scratch.text(of: "err").components(separatedBy: "nothing is probed").count > before
                }
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `each transition prints a line and runs its commands`() async throws {
            let hooks = """
                when_reachable = "echo up >> \(scratch.file("runs"))"
                [[target.hooks]]
                on = "down"
                run = ["sh", "-c", "echo $REACH_REASON >> \(scratch.file("runs")); echo mind the gap; exit 3"]
                """
            let child = try fixture.watch(hooks)
            try await wait(forLines: 1)
            listener.stop()
            try await wait(forLines: 2)
            try await eventually("first run") { scratch.lines(of: "runs").count == 1 }
            try await listener.start()
            try await wait(forLines: 3)
            try await eventually("second run") { scratch.lines(of: "runs").count == 2 }
            try await Task.sleep(for: .milliseconds(500))

            let lines = scratch.lines(of: "out")
            #expect(lines.count == 3)
            let stamp = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z  Door  /#
            #expect(lines.allSatisfy { $0.prefixMatch(of: stamp) != nil }, "\(lines)")
            let words = lines.map { String($0.dropFirst(32)) }
            #expect(words.first == "up")
            // Where it was up for a second.
            let down = /down after 3 losses: refused(?: \(was up [\d.m]+s\))?/
            #expect(words[1].wholeMatch(of: down) != nil, "\(words)")
            #expect(words[2].wholeMatch(of: /up after [\d.m]+s/) != nil, "\(words)")
            #expect(scratch.lines(of: "runs") == ["refused", "up"])

            let errors = scratch.text(of: "err")
            #expect(errors.contains("exited 3") && errors.contains("mind the gap") && errors.contains("exited 0"))
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(arguments: [SIGTERM, SIGINT, SIGQUIT])
        func `a signal ends it and running commands with their children`(_ signal: Int32) async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "echo $$ > hook; sleep 100 & echo $! > grandchild; wait"
                """
            let child = try fixture.watch(hooks)
            let ids = [try await scratch.number(in: "hook"), try await scratch.number(in: "grandchild")]
            #expect(ids.allSatisfy { state(of: $0) != nil })
            let start = ContinuousClock.now
            child.send(signal)
            #expect(try await child.end() == 128 + signal)
            // TERM was sufficient: there was no wait for KILL.
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(ids.allSatisfy { state(of: $0) == nil }, "a command is still running")
        }

        @Test func `a command that ignores TERM is killed, at once after a second signal`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "trap '' TERM; echo $$ > hook; while :; do sleep 1; done"
                """
            let child = try fixture.watch(hooks)
            let id = try await scratch.number(in: "hook")
            child.send(SIGTERM)
            try await Task.sleep(for: .milliseconds(500))
            #expect(child.status == nil)
            child.send(SIGINT)
            #expect(try await child.end(within: .seconds(3)) == 143)
            #expect(state(of: id) == nil, "a command is still running")
        }

        @Test func `after a signal, it applies no list and reloads nothing`() async throws {
            let list = #"[{"targets": ["127.0.0.1:\#(listener.port)"]}]"#
            try scratch.write("[]", to: "list.json")
            let watch = try await ListeningWatch(
                """
                [module.one]
                method = "tcp"
                [[source]]
                file = "\(scratch.file("list.json"))"
                refresh = "1s"
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "300ms"
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "trap '' TERM; echo $$ > hook; while :; do sleep 1; done"
                """
            )
            _ = try await watch.scratch.number(in: "hook")
            watch.child.send(SIGTERM)
            try await eventually("the end begins") { watch.scratch.text(of: "err").contains("ending 1 hook run") }
            try scratch.write(list, to: "list.json")
            let client = try RawHTTPClient(watch.port)
            client.send("POST /-/reload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(HTTPResponse(client.rest()).status == 503)
            #expect(try await watch.child.end(within: .seconds(10)) == 143)
            let last = watch.scratch.text(of: "err").components(separatedBy: "ending 1 hook run").last ?? ""
            #expect(!last.contains("list.json") && !last.contains("settings read again"), "\(last)")
        }
    }
}

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
