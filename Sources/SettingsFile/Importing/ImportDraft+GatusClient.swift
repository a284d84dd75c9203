import Monitoring

extension ImportDraft {
    /// Adds an option of the client of an endpoint. An option that Gatus does not use for the method of the endpoint has no
    /// effect there either.
    mutating func addClientOption(
        _ option: YAMLValue.Member,
        to endpoint: inout GatusEndpoint,
        named name: String
    ) {
        let isHTTP = endpoint.isHTTP
        switch option.key {
        case "insecure":
            guard option.value.flag == true else { break }
            endpoint.tls.add("verify", toml: "false")
        case "ignore-redirect":
            if option.value.flag == true { endpoint.http.add("follow", toml: "0") }
        case "timeout":
            endpoint.timeout = option.value.text
        case "tls":
            if let file = option.value["certificate-file"]?.text { endpoint.tls.add("cert", file) }
            if let file = option.value["private-key-file"]?.text { endpoint.tls.add("key", file) }
            let renegotiation = option.value["renegotiation"]?.text ?? "never"
            if endpoint.takesTLS, renegotiation != "never" {
                noteLost("\(option.key).renegotiation", option.line, named: name, "not imported")
            }
        case "proxy-url":
            if let text = option.value.text { endpoint.http.add("proxy", text) }
        case "network":
            switch option.value.text {
            case "ip4" where endpoint.method == .icmp: endpoint.family = "4"
            case "ip6" where endpoint.method == .icmp: endpoint.family = "6"
            default: break
            }
        case "dns-resolver" where isHTTP || endpoint.tls.has("starttls"):
            noteOnce(option.line, about: "client.\(option.key)", "not imported")
        case "store-cookies" where isHTTP && option.value.flag == true:
            noteLost(option.key, option.line, named: name, "not imported: no cookie is sent in a later request")
        case "oauth2" where isHTTP, "identity-aware-proxy" where isHTTP:
            leaveOut(&endpoint, option, named: name, "reach requests no tokens")
        case "tunnel" where isHTTP:
            leaveOut(&endpoint, option, named: name, "reach opens no SSH tunnels")
        case "dns-resolver", "store-cookies", "oauth2", "identity-aware-proxy", "tunnel":
            break
        default:
            noteOnce(option.line, about: "client.\(option.key)", "not imported")
        }
    }

    private mutating func noteLost(_ option: String, _ line: Int, named name: String, _ message: String) {
        note(line, about: "\(name): client.\(option)", message)
    }

    private mutating func leaveOut(
        _ endpoint: inout GatusEndpoint,
        _ option: YAMLValue.Member,
        named name: String,
        _ reason: String
    ) {
        endpoint.lacksConditions = true
        noteLost(option.key, option.line, named: name, "\(reason); the target is left out")
    }
}
