import Foundation

/// nginx on every address of a namespace, which answers 200 and logs the time and address of each request. Releasing
/// the last reference kills it.
final class LoggingWebServer: Sendable {
    static let port = 8_080

    private let scratch: Scratch
    private let nginx: Child

    init(in network: Namespace, scratch: Scratch) async throws {
        self.scratch = scratch
        let settings = """
            daemon off; worker_processes 1; pid \(scratch.file("nginx.pid")); error_log \(scratch.file("nginx.log"));
            events { worker_connections 1024; }
            http {
              log_format times '$msec $server_addr';
              access_log \(scratch.file("times")) times;
              client_body_temp_path \(scratch.file("body"));
              server { listen \(Self.port); return 200 "ok"; }
            }
            """
        try scratch.write(settings, to: "nginx.conf")
        nginx = try Child(
            network.words("nginx", "-c", scratch.file("nginx.conf")),
            in: scratch.path,
            streams: .files(output: scratch.file("nginx.out"), errors: scratch.file("nginx.err"))
        )
        // nginx writes this file when it listens.
        _ = try await scratch.number(in: "nginx.pid")
    }

    /// The times of the requests to each address, in seconds since 1970.
    var times: [String: [Double]] {
        let entries = scratch.lines(of: "times").compactMap { line -> (String, Double)? in
            let words = line.split(separator: " ")
            guard words.count == 2, let time = Double(words[0]) else { return nil }
            return (String(words[1]), time)
        }
        return Dictionary(grouping: entries) { $0.0 }.mapValues { $0.map(\.1).sorted() }
    }
}
