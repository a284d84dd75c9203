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
