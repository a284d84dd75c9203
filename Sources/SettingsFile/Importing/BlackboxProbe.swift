import Monitoring

/// What blackbox_exporter probes by a module, as far as the name of the module says: those of its own files, `blackbox.yml`
/// and `example.yml`. The settings of the exporter are not known.
struct BlackboxProbe {
    private let method: Method
    /// What follows the target in the URL.
    private var suffix = ""
    private(set) var options = TOMLPairs()
    /// What the target checks in another way; nil if it is the same.
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
