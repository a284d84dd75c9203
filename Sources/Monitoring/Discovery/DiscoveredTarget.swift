/// A target of a list from elsewhere: its labels, by the rules of Prometheus.
package struct DiscoveredTarget: Sendable, Hashable {
    /// The label with the address.
    package static let addressLabel = "__address__"
    /// The label with the target of blackbox_exporter, in lists that are made for it. It takes precedence over the address,
    /// which is that of the exporter then.
    package static let parameterLabel = "__param_target"
    /// The host of the address, with brackets around an IPv6 address. Made here; Prometheus has no such label.
    package static let hostLabel = "__host__"
    /// The port of the address; none if it has none. Made here.
    package static let portLabel = "__port__"

    private let labels: [String: String]

    /// Creates a target.
    package init(_ labels: [String: String]) {
        self.labels = labels
    }

    /// What is probed by default.
    package var address: String {
        let parameter = labels[Self.parameterLabel] ?? ""
        return parameter.isEmpty ? labels[Self.addressLabel] ?? "" : parameter
    }

    /// Throws if no target can have the address. As in Prometheus, that concerns only this target of a list.
    func checkAddress() throws(DiscoveryProblem) {
        let address = labels[Self.addressLabel] ?? ""
        guard !address.isEmpty else { throw DiscoveryProblem("an empty address – such as 192.0.2.1:9100") }
        let isPlain = address.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !$0.isControlCharacter }
        guard isPlain else { throw DiscoveryProblem("blank or control character in the address") }
    }

    /// The value of a label; nil if the target does not have it. An empty label counts as missing, as in Prometheus.
    package subscript(label: String) -> String? {
        let value =
            switch label {
            case Self.hostLabel: hostAndPort.host
            case Self.portLabel: hostAndPort.port
            default: labels[label]
            }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The host and the port of the address, or of the URL that is the address.
    private var hostAndPort: (host: String, port: String?) {
        var rest = address[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        guard let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") else { return (String(rest), nil) }
        let (host, port) = (rest[..<colon], rest[colon...].dropFirst())
        // Without brackets, several colons are an IPv6 address alone.
        guard !host.contains(":") || host.hasPrefix("[") else { return ("[\(rest)]", nil) }
        return (String(host), String(port))
    }
}
