import Foundation
import Testing

extension EndToEnd {
    /// More targets than available descriptors.
    @Suite(.serialized, .enabled(if: Machine.canLimit, "prlimit is not installed"))
    struct DescriptorTests {
        private static let count = 2_000
        /// The target with a hook. When it comes up, some targets have waited for descriptors and others still wait.
        private static let hooked = 1_200

        /// Settings with targets that each hold a connection for one second of five, so 400 descriptors at any time.
        private static func settings(port: UInt16) -> String {
            let targets = (0..<count).map { number in
                let hook = "[[target.hooks]]\non = \"up\"\nat_start = true\nrun = \"echo came > hook\""
                return """
                    [[target]]
                    name = "Target \(number)"
                    url = "tcp://127.1.\(number / 250).\(number % 250 + 1):\(port)"
                    \(number == hooked ? hook : "")
                    """
            }
            let defaults = "[defaults]\ninterval = \"5s\"\ntcp = { expect = \"\(SlowListener.greeting)\" }\n"
            return defaults + targets.joined(separator: "\n")
        }

        @Test func `with too few descriptors, targets wait, hooks run, and a raised limit takes effect at once`()
            async throws
        {
            let scratch = try Scratch()
            let listener = try SlowListener(pause: 1)
            let path = try scratch.write(Self.settings(port: listener.port), to: "settings.toml")
            let child = try scratch.start(["prlimit", "--nofile=200:4096", Program.path, "watch", "--config", path])
            let limit = { (soft: Int) in
                _ = try Tool.must(["prlimit", "--pid", "\(child.id)", "--nofile=\(soft):4096"])
            }
            // The program raises its soft limit to the hard limit, which only root may raise.
            try await eventually("raised limit") { descriptorLimit(of: child.id) == 4_096 }
            try limit(256)
            let said = { scratch.lines(of: "err").suffix(20).joined(separator: "\n") }
            let ups = { scratch.lines(of: "out").count { $0.hasSuffix("  up") } }
            let faults = { scratch.lines(of: "err").count { $0.contains("  cannot be probed: ") } }
            let cleared = { scratch.lines(of: "err").count { $0.contains("  can be probed again") } }
            let began = wallTime()
            var most = 0
            try await eventually("hook", within: .seconds(30), context: said) {
                most = max(most, descriptorCount(of: child.id))
                return scratch.text(of: "hook") == "came\n"
            }
            let (upsBefore, faultsBefore) = (ups(), faults())
            print(
                "2,000 targets of 1 s, 256 descriptors: \(upsBefore) verdicts and \(faultsBefore) faults",
                "after \(Int(wallTime() - began)) s, \(most) descriptors at most"
            )
            let cure = "cannot be probed: out of file descriptors: prlimit --pid \(child.id) --nofile=65536:65536"
            #expect(scratch.text(of: "err").contains(cure), "\(said())")
            // One target a second is probed to find out whether descriptors are available again; the others wait.
            #expect(faultsBefore <= 40, "\(said())")
            #expect(most > 128 && most <= 224, "no descriptors were reserved for hooks and name lookups")

            try limit(4_096)
            let raised = wallTime()
            try await eventually("2,000 verdicts", within: .seconds(30), context: said) { ups() == Self.count }
            try await eventually("end of all faults", within: .seconds(15), context: said) { faults() == cleared() }
            print("2,000 verdicts and no fault \(Int((wallTime() - raised) * 1_000)) ms after the limit was raised")
            #expect(scratch.lines(of: "out").count == Self.count, "the shortage was charged to a target")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}
