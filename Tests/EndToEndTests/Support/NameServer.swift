import Foundation

/// dnsmasq on a network's loopback address, the resolver of all programs there. It ends with the last reference.
final class NameServer: Sendable {
    private let child: Child

    /// - Parameter records: a name and its addresses each: `both.test,192.0.2.2,2001:db8:1::2`.
    init(in network: Namespace, records: [String], scratch: Scratch) async throws {
        try network.setResolver("127.0.0.1")
        let options = [
            "--keep-in-foreground", "--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts",
            "--local=/test/", "--conf-file=/dev/null", "--pid-file=\(scratch.file("dns.pid"))",
        ]
        child = try Child(
            network.words("dnsmasq") + options + records.map { "--host-record=\($0)" },
            in: scratch.path,
            streams: .files(output: scratch.file("dns.out"), errors: scratch.file("dns.err"))
        )
        // It is written once the server listens.
        _ = try await scratch.number(in: "dns.pid")
    }

    /// Answers nobody from now on, and refuses nobody either.
    func fallSilent() {
        child.send(SIGSTOP)
    }

    /// Answers again.
    func wakeUp() {
        child.send(SIGCONT)
    }
}
