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

    /// The watch for changes of this machine's network.
    func makeLinks() -> LinkWatch {
        LinkWatch(
            loop: gate.loop,
            logger: logger,
            time: { [unowned self] in time() },
            wake: { [weak self] in self?.setAlarm() },
            tell: { [weak self] in self?.hear($0) }
        )
    }

    private func makeProber(for method: Method) -> (any Prober)? {
        let time = { [unowned self] in self.time() }
        let tell = { [weak self] (notice: Notice) in
            guard let self else { return }
            hear(notice)
        }
        let name = { [weak self] (id: Target.ID) in self?.watches[id]?.target.label }
        return switch method {
        case .icmp: EchoProber(loop: gate.loop, logger: logger, time: time, tell: tell)
        case .tcp: ConnectProber(loop: gate.loop, time: time, tell: tell)
        case .session: SessionProber(loop: gate.loop, time: time, tell: tell)
        case .link, .route: LinkProber(tell: tell)
        case .exec: CommandProber(gate: gate, desk: commands, name: name, time: time, tell: tell)
        case .tls, .http, .https, .dns, .udp: nil
        }
    }
}
