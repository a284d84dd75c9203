import Foundation
import Testing

extension EndToEnd {
    /// Forty targets come back within a second, three times: what the commands leave on disk says what ran.
    @Suite struct HookStormTests {
        private static let targets = 40
        private static let rounds = 3
        private static let limit = 4

        /// What a command writes when it begins and when it ends, in the order in which it was written.
        private struct Mark {
            let isStart: Bool
            let target: String

            init?(_ line: String) {
                let words = line.split(separator: " ")
                guard words.count == 2 else { return nil }
                isStart = words[0] == "start"
                target = String(words[1])
            }
        }

        @Test func `a hundred and twenty runs, four at a time, in order, and none lost`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            // Appended in one write each, so that the file has the order in which they happened.
            let hook = """
                echo start $REACH_TARGET >> marks
                sleep 0.05
                echo end $REACH_TARGET >> marks

                """
            try scratch.write(hook, to: "hook.sh")
            let targets = (1...Self.targets).map { number in
                """
                [[target]]
                name = "T\(number)"
                url = "tcp://127.0.0.1:\(listener.port)"
                when_reachable = "cd \(scratch.path) && sh hook.sh"
                """
            }
            let settings = """
                [dashboard]
                max_hooks = \(Self.limit)
                [defaults]
                interval = "200ms"
                # Three outages in ten minutes are flapping.
                flapping = false
                \(targets.joined(separator: "\n"))
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--config", path])
            try await verdicts(of: Self.targets, in: scratch)

            for round in 1...Self.rounds {
                listener.stop()
                try await verdicts(of: Self.targets * (2 * round), in: scratch)
                try await listener.start()
                try await verdicts(of: Self.targets * (2 * round + 1), in: scratch)
                try await eventually("end of round \(round)", within: .seconds(20)) {
                    scratch.lines(of: "marks").count >= 2 * Self.targets * round
                }
                // Three outages within 21 probes are flapping, and hooks would wait.
                try await Task.sleep(for: .milliseconds(2_500))
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)

            let marks = scratch.lines(of: "marks").compactMap(Mark.init)
            #expect(marks.count == 2 * Self.targets * Self.rounds)
            expectBounds(of: marks)
            expectOrder(of: marks, in: scratch)
            let dropped = scratch.lines(of: "err").filter { $0.contains("did not run") }
            #expect(dropped.isEmpty, "\(dropped)")
        }

        private func verdicts(of count: Int, in scratch: Scratch) async throws {
            try await eventually("\(count) verdicts", within: .seconds(20), context: { scratch.text(of: "out") }) {
                scratch.lines(of: "out").count >= count
            }
        }

        /// Never more at a time than the limit, and never two of one target; but as many as the limit allows.
        private func expectBounds(of marks: [Mark]) {
            var running: [String: Int] = [:]
            var (most, mostOfOne) = (0, 0)
            for mark in marks {
                running[mark.target, default: 0] += mark.isStart ? 1 : -1
                most = max(most, running.values.reduce(0, +))
                mostOfOne = max(mostOfOne, running.values.max() ?? 0)
            }
            #expect(most == Self.limit)
            #expect(mostOfOne == 1)
            #expect(running.values.allSatisfy { $0 == 0 })
            let starts = Dictionary(grouping: marks.filter(\.isStart), by: \.target)
            #expect(starts.count == Self.targets)
            #expect(starts.values.allSatisfy { $0.count == Self.rounds })
        }

        /// They start in the order in which the targets came back. Those that start together may overtake each other on
        /// their way to the disk, and no others.
        private func expectOrder(of marks: [Mark], in scratch: Scratch) {
            // The first verdict of each target fires nothing.
            let recovered = scratch.lines(of: "out").filter { $0.contains("  up after ") }.compactMap { line in
                line.split(separator: " ").dropFirst().first.map(String.init)
            }
            let started = marks.filter(\.isStart).map(\.target)
            #expect(recovered.count == started.count)
            for round in 0..<Self.rounds {
                let span = round * Self.targets..<(round + 1) * Self.targets
                guard span.upperBound <= min(recovered.count, started.count) else { return }
                let order = Array(recovered[span])
                for (place, target) in started[span].enumerated() {
                    let wanted = order.firstIndex(of: target) ?? .max
                    #expect(abs(wanted - place) < Self.limit, "\(target) came back as \(wanted), ran as \(place)")
                }
            }
        }
    }
}
