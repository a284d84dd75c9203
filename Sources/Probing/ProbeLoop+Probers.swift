import Monitoring

extension ProbeLoop {
    /// One prober for each method; a new method is a case here and a file of its own.
    func makeProbers() -> [Method: any Prober] {
        var probers: [Method: any Prober] = [:]
        for method in Method.allCases { probers[method] = makeProber(for: method) }
        return probers
    }

    /// The desk that resolves names.
    func makeNames() -> NameDesk {
        NameDesk(
            gate: gate,
            resolve: resolve,
            time: { [unowned self] in time() },
            tell: { [weak self] in self?.hear($0) }
        )
    }

    /// The desk that holds what TLS needs.
    func makeTLS() -> TLSDesk {
        TLSDesk(gate: gate, time: { [unowned self] in time() }, wallTime: TLSDesk.systemTime)
    }

    /// Whoever looks up the names that redirects lead to.
    func makeWayside() -> WaysideNames {
        WaysideNames(gate: gate, resolve: resolve, time: { [unowned self] in time() })
    }

    private func makeProber(for method: Method) -> (any Prober)? {
        let time = { [unowned self] in self.time() }
        let tell = { [weak self] (notice: Notice) in
            guard let self else { return }
            hear(notice)
        }
        return switch method {
        case .icmp: EchoProber(loop: gate.loop, logger: logger, time: time, tell: tell)
        case .tcp: ConnectProber(loop: gate.loop, time: time, tell: tell)
        case .tls: TLSProber(loop: gate.loop, desk: tls, time: time, tell: tell)
        case .http, .https: HTTPProber(gate: gate, desk: tls, names: wayside, time: time, tell: tell)
        case .session, .dns, .udp, .link, .route, .exec: nil
        }
    }
}
