import Foundation

/// dnsmasq on the loopback address of a namespace, whose programs use it as their resolver. Releasing the last
/// reference kills it.
final class NameServer: Sendable {
    private let child: Child

    /// - Parameter records: a name and its addresses in each: `both.test,192.0.2.2,2001:db8:1::2`.
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
        // dnsmasq writes this file when it listens.
        _ = try await scratch.number(in: "dns.pid")
    }

    /// Stops answering, without refusing queries.
    func suspend() {
        child.send(SIGSTOP)
    }

    /// Answers again.
    func resume() {
        child.send(SIGCONT)
    }
}
