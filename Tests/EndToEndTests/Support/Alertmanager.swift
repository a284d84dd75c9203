import Foundation

/// Debian's Alertmanager, without receivers of notifications. It ends with the last reference.
final class Alertmanager {
    private let child: Child
    private let scratch: Scratch
    private let namespace: Namespace?
    /// `127.0.0.1:PORT`.
    let address: String

    /// Starts it, and waits until it answers.
    ///
    /// - Parameters:
    ///   - namespace: the namespace on whose loopback interface it listens.
    ///   - users: the names of users and the bcrypt hashes of their passwords; without any, it requires none.
    init(in scratch: Scratch, namespace: Namespace? = nil, users: [String: String] = [:]) async throws {
        (self.scratch, self.namespace) = (scratch, namespace)
        address = "127.0.0.1:\(try Listener.freePort())"
        let config = try scratch.write(
            "route: { receiver: none }\nreceivers: [ { name: none } ]\n",
            to: "alertmanager.yml"
        )
        let web = "basic_auth_users: { \(users.map { "\($0.key): '\($0.value)'" }.joined(separator: ", ")) }\n"
        let words =
            [
                "prometheus-alertmanager", "--config.file=\(config)", "--storage.path=\(scratch.file("silences"))",
                "--web.listen-address=\(address)", "--cluster.listen-address=",
            ] + (users.isEmpty ? [] : ["--web.config.file=\(try scratch.write(web, to: "web.yml"))"])
        child = try Child(
            namespace?.words(words) ?? words,
            in: scratch.path,
            streams: .files(output: scratch.file("alertmanager.out"), errors: scratch.file("alertmanager.err"))
        )
        try await eventually("Alertmanager", context: { scratch.text(of: "alertmanager.err") }) {
            try request("/-/ready").status == 0
        }
    }

    /// Sends a request with curl, and returns its result.
    @discardableResult
    func request(_ path: String, _ options: String...) throws -> Tool {
        let words = ["curl", "-s"] + options + ["http://\(address)\(path)"]
        return try Tool.run(namespace?.words(words) ?? words, in: scratch.path)
    }
}
