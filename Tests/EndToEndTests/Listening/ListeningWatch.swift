import Foundation

/// `reach watch --listen` on a free loopback port.
struct ListeningWatch {
    let scratch: Scratch
    let child: Child
    let port: UInt16

    /// Starts the program and waits until it listens.
    init(_ settings: String, environment: [String: String] = [:], options: [String] = []) async throws {
        scratch = try Scratch()
        let path = try scratch.write(settings, to: "settings.toml")
        let words = [Program.path, "watch", "--listen", "0", "--config", path] + options
        child = try scratch.start(words, environment: environment)
        let scratch = scratch
        port = try await eventually("port", context: { scratch.text(of: "err") }) {
            let words = /listening on http:\/\/127\.0\.0\.1:(\d+)\/metrics/
            return scratch.text(of: "err").firstMatch(of: words).flatMap { UInt16($0.1) }
        }
    }

    func get(_ path: String, accept: String? = nil) throws -> HTTPResponse {
        try RawHTTPClient.get(path, at: port, accept: accept)
    }

    /// Waits until `/metrics` contains a line.
    func wait(forLine line: String) async throws {
        try await eventually(line, context: { (try? get("/metrics").body) ?? "" }) {
            try get("/metrics").lines.contains(line)
        }
    }
}
