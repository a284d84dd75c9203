import Monitoring

/// A target that does not answer, and why: what one asks, and what a person is told.
struct Trouble {
    let url: String
    /// Lines of its table in the settings.
    var options = ""
    /// The detail, or how it begins.
    let detail: String
}

extension Reason {
    /// What has this reason in the network of the peers. A new reason is a new case here; the compiler asks for it.
    func trouble(at port: Peers.Ports) -> Trouble {
        let trusted = "tls = { ca = \"ca.pem\" }"
        let site = "http://127.0.0.1:\(port.http)"
        switch self {
        case .refused:
            return Trouble(url: "tcp://127.0.0.1:\(port.none)", detail: "connection refused")
        case .reset:
            return Trouble(url: "http://127.0.0.1:\(port.rude)/", detail: "connection reset")
        case .closed:
            return Trouble(url: "\(site)/silent", detail: "closed without an answer")
        case .hostUnreachable:
            return Trouble(url: "icmp://203.0.113.2", detail: "host unreachable, says 192.0.2.2")
        case .networkUnreachable:
            return Trouble(url: "tcp://198.51.100.1:80", detail: "network unreachable")
        case .prohibited:
            return Trouble(url: "icmp://203.0.113.1", detail: "prohibited by a filter, says 192.0.2.2")
        case .ttlExceeded:
            let detail = "too many routers on the way, says 192.0.2.2"
            return Trouble(url: "icmp://203.0.113.8", options: "icmp = { ttl = 1 }", detail: detail)
        case .nameNotFound:
            return Trouble(url: "tcp://no.test:80", detail: "no.test not found")
        case .resolverFailed:
            return Trouble(url: "tcp://name.example:80", detail: "resolver: ")
        case .tlsFailed:
            return Trouble(url: "tls://localhost:\(port.strict)", detail: "TLS alert: unrecognized name")
        case .certificateExpired:
            return Trouble(url: "tls://127.0.0.1:\(port.expired)", options: trusted, detail: "expired 24 hours ago")
        case .certificateUntrusted:
            return Trouble(url: "tls://127.0.0.1:\(port.good)", detail: "signed by an unknown authority")
        case .certificateName:
            let detail = "certificate is for other.example"
            return Trouble(url: "tls://127.0.0.1:\(port.name)", options: trusted, detail: detail)
        case .httpStatus:
            return Trouble(url: "\(site)/bad", detail: "HTTP 503 Service Unavailable")
        case .httpBody:
            let detail = #"no match in the body: "all is well""#
            return Trouble(url: "\(site)/", options: "http = { body = \"unwell\" }", detail: detail)
        case .answerMismatch:
            let options = "tcp = { expect = \"^SSH-1\" }"
            return Trouble(url: "tcp://127.0.0.1:\(port.ssh)", options: options, detail: "unexpected answer \"SSH-2.0-")
        case .protocolError:
            return Trouble(url: "http://127.0.0.1:\(port.ssh)/", detail: "the answer is not HTTP")
        case .noRoute:
            return Trouble(url: "route://198.51.100.1", detail: "network unreachable")
        case .linkDown:
            return Trouble(url: "link:spare", detail: "spare is down")
        case .exitStatus:
            let options = "exec = { run = \"echo out of paper; exit 1\" }"
            return Trouble(url: "exec:", options: options, detail: "out of paper")
        }
    }
}
