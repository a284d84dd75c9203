import Foundation

/// A network namespace in which only the loopback interface is up. Releasing the last reference deletes it.
final class Namespace: Sendable {
    let name: String

    init() throws {
        name = "reach-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        try Tool.must(["ip", "netns", "add", name])
        try ip("link", "set", "lo", "up")
    }

    deinit {
        _ = try? Tool.must(["ip", "netns", "del", name])
        try? FileManager.default.removeItem(atPath: "/etc/netns/\(name)")
    }

    /// The command line that runs a command in the namespace.
    func words(_ words: String...) -> [String] {
        self.words(words)
    }

    /// The command line that runs a command in the namespace.
    func words(_ words: [String]) -> [String] {
        ["ip", "netns", "exec", name] + words
    }

    /// Runs `ip` in the namespace.
    func ip(_ words: String...) throws {
        try ip(words)
    }

    /// Runs `ip` in the namespace.
    func ip(_ words: [String]) throws {
        try Tool.must(["ip", "-n", name] + words)
    }

    /// Sets a kernel parameter of the namespace.
    func set(_ variable: String, to value: String) throws {
        let path = "/proc/sys/" + variable.replacing(".", with: "/")
        try Tool.must(words("sh", "-c", "echo '\(value)' > \(path)"))
    }

    /// Adds addresses in 192.0.2.0/24 that drop every packet.
    func addVoid(_ addresses: String...) throws {
        try ip("link", "add", "v0", "type", "veth", "peer", "name", "v1")
        try ip("address", "add", "192.0.2.1/24", "dev", "v0")
        try ip("link", "set", "v0", "up")
        try ip("link", "set", "v1", "up")
        for address in addresses {
            // With a permanent neighbour entry, the kernel never resolves the address and reports no failure.
            try ip("neighbour", "add", address, "lladdr", "02:00:00:00:00:01", "dev", "v0", "nud", "permanent")
        }
    }

    /// Connects this namespace (192.0.2.1) with another (192.0.2.2) by interfaces named `v0`.
    func connect(to other: Namespace) throws {
        try ip("link", "add", "v0", "type", "veth", "peer", "name", "v0", "netns", other.name)
        try ip("address", "add", "192.0.2.1/24", "dev", "v0")
        try other.ip("address", "add", "192.0.2.2/24", "dev", "v0")
        try ip("link", "set", "v0", "up")
        try other.ip("link", "set", "v0", "up")
    }

    /// Sets the name server of the namespace.
    func setResolver(_ address: String) throws {
        let folder = "/etc/netns/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("nameserver \(address)\n".utf8).write(to: URL(filePath: "\(folder)/resolv.conf"))
    }
}
