import Foundation
import Testing

extension EndToEnd {
    /// Several processes that share the targets of one list.
    @Suite(.serialized) struct ShardTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func start(_ number: Int, of count: Int) throws -> Child {
            try Child(
                [
                    Program.path, "watch", "--json", "--no-history", "--shard", "\(number)/\(count)", "--config",
                    scratch.file("settings.toml"),
                ],
                in: scratch.path,
                streams: .files(output: scratch.file("out\(number)"), errors: scratch.file("err\(number)"))
            )
        }

        /// The targets that a process has reported as up, in the order of their names.
        private func reported(_ number: Int) throws -> [String] {
            try scratch.lines(of: "out\(number)").compactMap { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["to"] as? String == "up" ? object?["target"] as? String : nil
            }.sorted()
        }

        @Test func `five processes probe each target exactly once, and report a shared dependency once`() async throws {
            let listeners = try (0..<20).map { _ in try Listener() }
            let router = try Listener()
            // One probe for each target: a second one would be that of another process.
            let targets = listeners.enumerated().map { index, listener in
                "[[target]]\nname = \"T\(index)\"\nurl = \"tcp://127.0.0.1:\(listener.port)\"\ndepends_on = [\"Router\"]\n"
            }
            let defaults = "[defaults]\ninterval = \"1h\"\n"
            let parent = "[[target]]\nname = \"Router\"\nurl = \"tcp://127.0.0.1:\(router.port)\"\n"
            try scratch.write(defaults + parent + targets.joined(), to: "settings.toml")
            let children = try (1...5).map { try start($0, of: 5) }
            let names = (["Router"] + listeners.indices.map { "T\($0)" }).sorted()
            let context = { (1...5).map { scratch.text(of: "out\($0)") + scratch.text(of: "err\($0)") }.joined() }
            try await eventually("all targets", within: .seconds(20), context: context) {
                try (1...5).flatMap(reported).count >= names.count
            }
            let shares = try (1...5).map(reported)
            #expect(shares.flatMap(\.self).sorted() == names, "\(shares)")
            #expect(listeners.map(\.count) == Array(repeating: 1, count: 20))
            // Each process with a target that depends on the router probes it, and its own shard reports it.
            let dependent = shares.count { !$0.isEmpty }
            #expect(router.count == dependent, "\(shares)")
            for child in children { child.send(SIGKILL) }
        }

        @Test func `check probes the share only, and an invalid shard is refused`() throws {
            let listeners = try (0..<6).map { _ in try Listener() }
            let list = listeners.map { "127.0.0.1:\($0.port)" }
            let shares = try (1...3).map { number in
                let tool = try Tool.run([Program.path, "check", "--shard", "\(number)/3"] + list, in: scratch.path)
                #expect(tool.status == 0, "\(tool.errors)")
                return tool.lines.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
            }
            #expect(shares.flatMap(\.self).sorted() == list.sorted(), "\(shares)")
            #expect(listeners.allSatisfy { $0.count == 1 })
            let bad = try Tool.run([Program.path, "watch", "--shard", "4/3", "127.0.0.1:9"], in: scratch.path)
            #expect(bad.status == 2 && bad.errors.contains("no shard 4 of 3 – from 1/3 to 3/3"), "\(bad.errors)")
        }
    }
}
