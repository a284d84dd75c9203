import Foundation

/// Debian's Prometheus, which scrapes every second. Releasing the last reference kills it.
final class Prometheus {
    private let child: Child
    let port: UInt16
    private let scratch: Scratch

    /// Scrapes servers on loopback.
    convenience init(scraping targets: [UInt16], in scratch: Scratch) throws {
        let list = targets.map { #""127.0.0.1:\#($0)""# }.joined(separator: ", ")
        try self.init(configs: "[ { targets: [\(list)] } ]", in: scratch)
    }

    /// Scrapes a server on loopback for each vantage point, with its name in the label `vantage`.
    convenience init(vantagePoints: [(name: String, port: UInt16)], in scratch: Scratch) throws {
        let list = vantagePoints.map { "{ targets: ['127.0.0.1:\($0.port)'], labels: { vantage: \($0.name) } }" }
        try self.init(configs: "[ \(list.joined(separator: ", ")) ]", in: scratch)
    }

    /// Scrapes groups of targets, written in YAML as for file-based service discovery.
    convenience init(groups: String, in scratch: Scratch) throws {
        try self.init(configs: groups, in: scratch)
    }

    /// Scrapes a port that nothing opens. It requires what the file of its web configuration says.
    convenience init(webConfig path: String, in scratch: Scratch) throws {
        try self.init(configs: "[ { targets: ['127.0.0.1:1'] } ]", options: ["--web.config.file=\(path)"], in: scratch)
    }

    /// Scrapes the targets of jobs, which are the elements of a list in YAML.
    convenience init(jobs: String, in scratch: Scratch) throws {
        try self.init(jobs: "\n\(jobs)", options: [], in: scratch)
    }

    private convenience init(configs: String, options: [String] = [], in scratch: Scratch) throws {
        let jobs = "[ { job_name: reach, static_configs: \(configs) } ]"
        try self.init(jobs: jobs, options: options, in: scratch)
    }

    private init(jobs: String, options: [String], in scratch: Scratch) throws {
        self.scratch = scratch
        let config = "global: { scrape_interval: 1s, scrape_timeout: 1s }\nscrape_configs: \(jobs)\n"
        let path = try scratch.write(config, to: "prometheus.yml")
        port = try Listener.freePort()
        child = try Child(
            [
                "prometheus", "--config.file=\(path)", "--storage.tsdb.path=\(scratch.file("tsdb"))",
                "--web.listen-address=127.0.0.1:\(port)",
            ] + options,
            in: scratch.path,
            streams: .files(output: scratch.file("prometheus.out"), errors: scratch.file("prometheus.err"))
        )
    }

    /// Ends the server.
    func stop() async throws {
        child.send(SIGTERM)
        _ = try await child.end()
    }

    func get(_ path: String) throws -> HTTPResponse {
        let client = try RawHTTPClient(port)
        client.send("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n")
        return HTTPResponse(client.rest())
    }

    /// The labels of the active targets before relabeling, by their jobs.
    func discovered() throws -> [String: [[String: String]]] {
        let page = try get("/api/v1/targets?state=active")
        let object = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any]
        let targets = (object?["data"] as? [String: Any])?["activeTargets"] as? [[String: Any]] ?? []
        var labels: [String: [[String: String]]] = [:]
        for target in targets {
            guard let pool = target["scrapePool"] as? String else { continue }
            labels[pool, default: []].append(target["discoveredLabels"] as? [String: String] ?? [:])
        }
        return labels
    }

    /// Waits until there are active targets, and returns the URLs of their scrapes.
    func scrapeURLs() async throws -> [String] {
        try await eventually("targets", within: .seconds(20), context: { self.scratch.text(of: "prometheus.err") }) {
            guard let page = try? get("/api/v1/targets?state=active"), page.status == 200 else { return nil }
            let object = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any]
            let targets = (object?["data"] as? [String: Any])?["activeTargets"] as? [[String: Any]]
            let urls = targets?.compactMap { $0["scrapeUrl"] as? String } ?? []
            return urls.isEmpty ? nil : urls
        }
    }

    /// Waits until a query has results, and returns their labels.
    func samples(_ query: String) async throws -> [[String: String]] {
        let allowed = CharacterSet.alphanumerics
        let words = query.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let context = { self.scratch.text(of: "prometheus.err") }
        return try await eventually("samples of \(query)", within: .seconds(20), context: context) {
            guard let page = try? get("/api/v1/query?query=\(words)"), page.status == 200 else { return nil }
            let object = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any]
            let result = (object?["data"] as? [String: Any])?["result"] as? [[String: Any]]
            let labels = result?.compactMap { $0["metric"] as? [String: String] } ?? []
            return labels.isEmpty ? nil : labels
        }
    }
}
