import ReachBasics
import ReachMonitoring

extension ImportDraft {
    /// Adds the targets of a file for Prometheus's file-based service discovery: a list of groups, each with `targets`
    /// and `labels`.
    mutating func addTargetGroups(_ text: String) throws(SettingsFailure) {
        let root = try YAMLValue(text, file: file)
        guard let groups = root.elements else {
            let hint = "such as - targets: [\"192.0.2.1:9100\"]"
            let message = "expected a list of target groups"
            throw .problems([SettingsProblem(file: file, line: root.line, message: message, hint: hint)])
        }
        numbersNames = true
        for group in groups { addTargetGroup(group) }
    }

    private mutating func addTargetGroup(_ group: YAMLValue) {
        guard let targets = group["targets"]?.elements else {
            return note(group.line, "a group without targets")
        }
        let members = group["labels"]?.members ?? []
        let labels = TargetLabels(members)
        if let first = members.first(where: { labels.others.contains($0.key) }) {
            note(first.line, about: "labels", "not imported: \(labels.others.joined(separator: ", "))")
        }
        for target in targets {
            guard let own = target.text else {
                note(target.line, "a target that is not a text", hint: "such as \"192.0.2.1:9100\"")
                continue
            }
            add(own, labels, line: target.line)
        }
    }

    /// Adds a target with the labels of its group.
    private mutating func add(_ own: String, _ labels: TargetLabels, line: Int) {
        let address = labels.target ?? own
        let isValid = (try? Question(address)) != nil
        let name = isValid ? address.withoutURLSecrets : address.withoutSecretsOfInvalidURL
        var options = labels.timing
        var url = address
        if let module = labels.module {
            guard let probe = NamedModule(ofModule: module) else {
                let problem = "no counterpart for the module \(module.quoted); the target is left out"
                return note(line, about: name, problem, hint: "write its [[target]]")
            }
            if let difference = probe.difference { noteOnce(line, about: "module \(module)", difference) }
            url = probe.url(of: address)
            options.add(probe.options)
        } else if labels.target == nil, !address.contains("://"), let scrape = labels.scrapeURL(of: address) {
            url = scrape
        }
        add(url: url, name: name, group: labels.job, line: line, options: options)
    }
}

/// The labels of a group of targets, by the rules of Prometheus. An empty one counts as missing.
private struct TargetLabels {
    private static let parameterPrefix = "__param_"

    private var values: [String: String] = [:]
    /// The labels without a counterpart, in order.
    private(set) var others: [String] = []
    /// The parameters of the scrape but the module and the target, by name.
    private var parameters: [(name: String, value: String)] = []

    init(_ members: [YAMLValue.Member]) {
        for member in members {
            guard let text = member.value.text, !text.isEmpty else { continue }
            let isKnown: Bool
            switch member.key {
            case "job", "__scheme__", "__metrics_path__", "__scrape_interval__", "__scrape_timeout__",
                DiscoveredTarget.parameterLabel, "__param_module":
                isKnown = true
            // Each target has its own.
            case DiscoveredTarget.addressLabel:
                continue
            case "module":
                isKnown = NamedModule(ofModule: text) != nil
            case _ where member.key.hasPrefix(Self.parameterPrefix):
                parameters.append((String(member.key.dropFirst(Self.parameterPrefix.count)), text))
                continue
            default:
                isKnown = false
            }
            if isKnown { values[member.key] = text } else { others.append(member.key) }
        }
        parameters.sort { $0.name < $1.name }
    }

    var job: String? { values["job"] }

    /// The module of blackbox_exporter. The label without the prefix is the usual source of the other by relabeling.
    var module: String? { values["__param_module"] ?? values["module"] }

    /// The target that an exporter probes; the address is that of the exporter.
    var target: String? { values[DiscoveredTarget.parameterLabel] }

    /// The interval and the timeout of the scrapes.
    var timing: TOMLPairs {
        var pairs = TOMLPairs()
        if let interval = values["__scrape_interval__"] { pairs.add("interval", interval) }
        if let timeout = values["__scrape_timeout__"] { pairs.add("timeout", timeout) }
        return pairs
    }

    /// The URL that Prometheus scrapes, with its defaults; nil without a label for it.
    func scrapeURL(of address: String) -> String? {
        let (scheme, path) = (values["__scheme__"], values["__metrics_path__"])
        guard scheme != nil || path != nil || !parameters.isEmpty else { return nil }
        let query = parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        let end = query.isEmpty ? "" : "?\(query.joined(separator: "&"))"
        let base = path ?? "/metrics"
        return "\(scheme ?? "http")://\(address)\(base.hasPrefix("/") ? "" : "/")\(base)\(end)"
    }
}

/// A module of the files that come with blackbox_exporter, `blackbox.yml` and `example.yml`, recognized by its name. The
/// exporter's settings are unknown.
struct NamedModule {
    private let method: Method
    /// The text after the target in the URL.
    private var suffix = ""
    private(set) var options = TOMLPairs()
    /// The difference between the checks of the target and the module; nil if there is none.
    private(set) var difference: String?

    /// - Returns: nil for a module with another name, or that has no counterpart.
    init?(ofModule name: String) {
        switch name {
        case "http_2xx", "http_post_2xx":
            method = .http
            if name == "http_post_2xx" {
                set("http", "method", "POST")
                difference = "imported as a POST without a body"
            }
            set("http", "follow", toml: "10")
        case "tcp_connect", "tcp_connect_example":
            method = .tcp
        case "ssh_banner", "ssh_banner_extract":
            method = .tcp
            set("tcp", "expect", ImportDraft.secureShellBanner)
        case "tls_connect":
            method = .tls
        case "pop3s_banner":
            method = .tls
            difference = "imported as a TLS handshake: the greeting is not checked"
        case "imap_starttls", "smtp_starttls":
            method = .tls
            set("tls", "starttls", name == "imap_starttls" ? "imap" : "smtp")
        case "postgresql":
            method = .tls
            set("tls", "starttls", "postgres")
        case "icmp", "icmp_ttl5":
            method = .icmp
            if name == "icmp_ttl5" { set("icmp", "ttl", toml: "5") }
        case "dns_soa", "dns_udp_example", "dns_tcp_example":
            method = .dns
            suffix = name == "dns_soa" ? "/prometheus.io?type=SOA" : "/www.prometheus.io?type=A"
            if name == "dns_tcp_example" { set("dns", "transport", "tcp") }
            difference = "imported with the query of blackbox_exporter's example.yml, \(suffix.dropFirst())"
        default:
            return nil
        }
    }

    private var table = TOMLPairs()

    private mutating func set(_ table: String, _ key: String, _ text: String) {
        set(table, key, toml: text.tomlString())
    }

    private mutating func set(_ name: String, _ key: String, toml value: String) {
        table.add(key, toml: value)
        options.add(name, table)
    }

    /// Returns the URL of a target in the notation of the exporter, which takes HTTP without a scheme.
    func url(of target: String) -> String {
        if method == .http, ["http://", "https://"].contains(where: target.lowercased().hasPrefix) { return target }
        let host = Family(ofAddress: target) == .v6 ? "[\(target)]" : target
        return "\(method.rawValue)://\(host)\(suffix)"
    }
}
