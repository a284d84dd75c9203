import Foundation

/// A namespace with addresses to probe, `10.77.9.1` and so on, and a namespace for each of three vantage points that reach
/// them through it.
final class FleetNetwork {
    /// Where the targets are, and what collects the results.
    let hub: Namespace
    let points: [Namespace]

    init(targets: Int) throws {
        hub = try Namespace()
        points = try (0..<3).map { _ in try Namespace() }
        for number in 1...targets { try hub.ip("address", "add", "10.77.9.\(number)/24", "dev", "lo") }
        for (index, point) in points.enumerated() {
            let name = "p\(index)"
            try hub.ip("link", "add", name, "type", "veth", "peer", "name", "v0", "netns", point.name)
            try hub.ip("address", "add", "10.77.\(index + 1).1/30", "dev", name)
            try hub.ip("link", "set", name, "up")
            try point.ip("address", "add", "\(Self.address(of: index))/30", "dev", "v0")
            try point.ip("link", "set", "v0", "up")
            try point.ip("route", "add", "default", "via", "10.77.\(index + 1).1")
        }
        try Tool.must(hub.words("nft", "add table inet t; add chain inet t in { type filter hook input priority 0; }"))
    }

    /// The address of a vantage point.
    static func address(of index: Int) -> String { "10.77.\(index + 1).2" }

    /// Drops the packets of a vantage point to the first target.
    func cut(_ index: Int) throws {
        let rule = "add rule inet t in ip saddr \(Self.address(of: index)) ip daddr 10.77.9.1 drop"
        try Tool.must(hub.words("nft", rule))
    }

    /// Starts a program in a namespace.
    func start(_ name: String, _ words: [String], in namespace: Namespace, _ scratch: Scratch) throws -> Child {
        try Child(
            namespace.words(words),
            in: scratch.path,
            streams: .files(output: scratch.file("\(name).out"), errors: scratch.file("\(name).err"))
        )
    }
}
