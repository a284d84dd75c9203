import Foundation
import Testing

extension EndToEnd {
    /// Targets at a link-local address whose interface is deleted and created again with another index.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"),
        .enabled(if: Machine.canPing, "no ICMP socket may be opened here"),
        .enabled(if: Machine.hasPython, "python3 is not installed")
    ) struct ZoneTests {
        private let scratch: Scratch
        private let near: Namespace
        private let far: Namespace

        init() throws {
            scratch = try Scratch()
            near = try Namespace()
            far = try Namespace()
        }

        /// Connects the networks by `va`, with this index, and `vb`.
        private func connect(index: Int) throws {
            try near.ip(
                ["link", "add", "name", "va", "index", "\(index)", "type", "veth"]
                    + ["peer", "name", "vb", "netns", far.name]
            )
            for (network, name, address) in [(near, "va", "fe80::7/64"), (far, "vb", "fe80::2/64")] {
                try network.ip("address", "add", address, "dev", name, "nodad")
                try network.ip("link", "set", name, "up")
            }
        }

        private static let settings = """
            [defaults]
            timeout = "300ms"
            fall = 2
            rise = 1
            [[target]]
            name = "Echo"
            url = "icmp://fe80::2%va"
            interval = "300ms"
            [[target]]
            name = "Port"
            url = "tcp://[fe80::2%va]:7000"
            interval = "300ms"
            [[target]]
            name = "Held"
            url = "session://[fe80::2%va]:7000"
            interval = "300ms"
            [[target]]
            name = "From"
            url = "icmp://fe80::2%va"
            source = "fe80::7%va"
            interval = "300ms"
            """
        private static let names = ["Echo", "Port", "Held", "From"]

        /// A script that accepts and holds connections.
        private static let server = """
            import socket
            server = socket.create_server(("::", 7000), family=socket.AF_INET6, backlog=100)
            held = []
            while True:
                held.append(server.accept())
            """

        @Test func `targets on a recreated interface come up again`() async throws {
            let server = try Child(
                far.words("/usr/bin/python3", "-c", Self.server),
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: "/dev/null")
            )
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let child = try scratch.start(near.words(Program.path, "watch", "--config", path))
            let output = { scratch.text(of: "out") + scratch.text(of: "err") }
            func wait(for texts: String..., count: Int) async throws {
                for name in Self.names {
                    try await eventually("\(name)  \(texts), \(count) times", context: output) {
                        scratch.lines(of: "out").count { line in
                            texts.contains { line.contains("\(name)  \($0)") }
                        } >= count
                    }
                }
            }
            try await wait(for: "down after 2 losses: va does not exist", count: 1)
            for (round, index) in [102, 103, 104].enumerated() {
                try connect(index: index)
                try await wait(for: "up", count: round + 1)
                try near.ip("link", "del", "va")
                // The first reason stays, which for a probe in flight may be that the network is unreachable.
                let down = "down after 2 losses: "
                try await wait(for: down + "va does not exist", down + "network unreachable", count: round + 2)
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(server) {}
        }
    }
}
