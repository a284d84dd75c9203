import Monitoring

/// A target that fails with a known reason: its settings and the reported detail.
struct FailureCase {
    let url: String
    /// Further lines of the target's table in the settings.
    var options = ""
    /// The detail or its prefix.
    let detail: String
}

extension Reason {
    /// A target that fails with this reason in the network of the peers. The exhaustive `switch` makes the compiler
    /// require a case for each new reason.
    func trouble(at port: Peers.Ports) -> FailureCase {
        let trusted = "tls = { ca = \"ca.pem\" }"
        let site = "http://127.0.0.1:\(port.http)"
        switch self {
        case .refused:
            return FailureCase(url: "tcp://127.0.0.1:\(port.none)", detail: "refused")
        case .reset:
            return FailureCase(url: "http://127.0.0.1:\(port.rude)/", detail: "reset")
        case .closed:
            return FailureCase(url: "\(site)/silent", detail: "closed without an answer")
        case .hostUnreachable:
            return FailureCase(url: "icmp://203.0.113.2", detail: "host unreachable (reported by 192.0.2.2)")
        case .networkUnreachable:
            return FailureCase(url: "tcp://198.51.100.1:80", detail: "network unreachable")
        case .prohibited:
            return FailureCase(url: "icmp://203.0.113.1", detail: "prohibited (reported by 192.0.2.2)")
        case .ttlExceeded:
            let detail = "TTL exceeded (reported by 192.0.2.2)"
            return FailureCase(url: "icmp://203.0.113.8", options: "icmp = { ttl = 1 }", detail: detail)
        case .nameNotFound:
            return FailureCase(url: "tcp://no.test:80", detail: "no.test not found")
        case .resolverFailed:
            return FailureCase(url: "tcp://name.example:80", detail: "resolver: ")
        case .tlsFailed:
            return FailureCase(url: "tls://localhost:\(port.strict)", detail: "TLS alert: unrecognized name")
        case .certificateExpired:
            return FailureCase(url: "tls://127.0.0.1:\(port.expired)", options: trusted, detail: "expired 24 hours ago")
        case .certificateUntrusted:
            return FailureCase(url: "tls://127.0.0.1:\(port.good)", detail: "signed by an unknown authority")
        case .certificateName:
            let detail = "certificate is for other.example"
            return FailureCase(url: "tls://127.0.0.1:\(port.name)", options: trusted, detail: detail)
        case .httpStatus:
            return FailureCase(url: "\(site)/bad", detail: "HTTP 503 Service Unavailable")
        case .httpBody:
            let detail = #"no match in the body: "all is well""#
            return FailureCase(url: "\(site)/", options: "http = { body = \"unwell\" }", detail: detail)
        case .answerMismatch:
            let options = "tcp = { expect = \"^SSH-1\" }"
            return FailureCase(
                url: "tcp://127.0.0.1:\(port.ssh)",
                options: options,
                detail: "unexpected answer \"SSH-2.0-"
            )
        case .protocolError:
            return FailureCase(url: "http://127.0.0.1:\(port.ssh)/", detail: "the answer is not HTTP")
        case .serverError:
            return FailureCase(url: "redis://127.0.0.1:\(port.redis)/99", detail: "ERR DB index is out of range")
        case .loginFailed:
            return FailureCase(
                url: "redis://127.0.0.1:\(port.redis)",
                options: "redis = { password = \"none\" }",
                detail: "AUTH <password> called without any"
            )
        case .noRoute:
            return FailureCase(url: "route://198.51.100.1", detail: "network unreachable")
        case .linkDown:
            return FailureCase(url: "link:spare", detail: "spare is down")
        case .exitStatus:
            let options = "exec = { run = \"echo out of paper; exit 1\" }"
            return FailureCase(url: "exec:", options: options, detail: "out of paper")
        case .quorum:
            preconditionFailure("no probe fails for this reason")
        }
    }
}
