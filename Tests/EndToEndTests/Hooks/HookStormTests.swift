import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Three rounds of forty targets that come up within a second. A file on disk records the runs.
    @Suite(.serialized, .quiet) struct HookStormTests {
        private static let targets = 40
        private static let rounds = 3
        private static let limit = 4

        /// A line that a command appends at its start and at its end.
        private struct RunRecord {
            let isStart: Bool
            let target: String

            init?(_ line: String) {
                let words = line.split(separator: " ")
                guard words.count == 2 else { return nil }
                isStart = words[0] == "start"
                target = String(words[1])
            }
        }

        @Test func `120 runs, four at a time, in order, none lost`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            // Each line is one write, so the lines of the file are in the order of the events.
            let hook = """
                echo start $REACH_TARGET >> records
                sleep 0.05
                echo end $REACH_TARGET >> records

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
                    scratch.lines(of: "records").count >= 2 * Self.targets * round
                }
                // Three outages within 21 probes are flapping, which would delay hooks.
                try await Task.sleep(for: .milliseconds(2_500))
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)

            let records = scratch.lines(of: "records").compactMap(RunRecord.init)
            #expect(records.count == 2 * Self.targets * Self.rounds)
            expectBounds(of: records)
            expectOrder(of: records, in: scratch)
            let dropped = scratch.lines(of: "err").filter { $0.contains("did not run") }
            #expect(dropped.isEmpty, "\(dropped)")
        }

        private func verdicts(of count: Int, in scratch: Scratch) async throws {
            try await eventually("\(count) verdicts", within: .seconds(20), context: { scratch.text(of: "out") }) {
                scratch.lines(of: "out").count >= count
            }
        }

        /// Checks that the runs reach the limit, never exceed it, and never overlap for one target.
        private func expectBounds(of records: [RunRecord]) {
            var running: [String: Int] = [:]
            var (most, mostOfOne) = (0, 0)
            for record in records {
                running[record.target, default: 0] += record.isStart ? 1 : -1
                most = max(most, running.values.reduce(0, +))
                mostOfOne = max(mostOfOne, running.values.max() ?? 0)
            }
            #expect(most == Self.limit)
            #expect(mostOfOne == 1)
            #expect(running.values.allSatisfy { $0 == 0 })
            let starts = Dictionary(grouping: records.filter(\.isStart), by: \.target)
            #expect(starts.count == Self.targets)
            #expect(starts.values.allSatisfy { $0.count == Self.rounds })
        }

        /// Checks that runs start in the order in which the targets came up. A busy machine may delay a shell, so that it
        /// writes its line after later ones. But before a run starts, all earlier ones have started, and at most three of
        /// them are still running.
        private func expectOrder(of records: [RunRecord], in scratch: Scratch) {
            // The first verdict of each target runs no hook.
            let recovered = scratch.lines(of: "out").filter { $0.contains("  up after ") }.compactMap { line in
                line.split(separator: " ").dropFirst().first.map(String.init)
            }
            #expect(recovered.count == Self.targets * Self.rounds)
            guard recovered.count == Self.targets * Self.rounds, records.count == 2 * recovered.count else { return }
            for round in 0..<Self.rounds {
                let order = Array(recovered[round * Self.targets..<(round + 1) * Self.targets])
                var ended: Set<Int> = []
                for record in records[2 * round * Self.targets..<2 * (round + 1) * Self.targets] {
                    let place = order.firstIndex(of: record.target) ?? .max
                    guard record.isStart else {
                        ended.insert(place)
                        continue
                    }
                    let earlier = ended.count { $0 < place }
                    #expect(earlier > place - Self.limit, "\(record.target), number \(place), ran after \(earlier)")
                }
            }
        }
    }
}
