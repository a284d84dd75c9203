import Monitoring

extension ProbeLoop {
    /// The one prober of a method, made when somebody is asked by it first.
    func prober(for method: Method) -> any Prober {
        if let prober = probers[method] { return prober }
        let prober = makeProber(for: method)
        probers[method] = prober
        return prober
    }

    /// Tells the time, also after the end: on an event loop that others share, connections may say farewell after it.
    private var timeTeller: () -> Duration {
        { [weak self, now] in self?.time() ?? now() }
    }

    /// The desk that resolves names.
    func makeNames() -> NameDesk {
        NameDesk(
            gate: gate,
            lanes: share.division.count,
            resolve: resolve,
            time: timeTeller,
            tell: { [weak self] in self?.hear($0) }
        )
    }

    /// The watch for changes of this machine's network.
    func makeLinks() -> LinkWatch {
        LinkWatch(
            loop: gate.loop,
            isFollower: !share.isFirst,
            logger: logger,
            time: timeTeller,
            wake: { [weak self] in self?.setAlarm() },
            tell: { [weak self] in self?.hear($0) }
        )
    }

    /// The contexts that TLS needs.
    func makeTLS() -> TLSContexts {
        TLSContexts(gate: gate, wallTime: TLSContexts.systemTime)
    }

    /// The desk that searches what peers say.
    func makeSearches() -> SearchDesk {
        SearchDesk(gate: gate, pool: searchPool)
    }

    /// Whoever looks up the names that redirects lead to.
    func makeWayside() -> WaysideNames {
        WaysideNames(
            gate: gate,
            targets: { [weak self] in self?.watches.count ?? 0 },
            resolve: resolve,
            time: timeTeller
        )
    }

    /// A new method is a case here and a file of its own.
    private func makeProber(for method: Method) -> any Prober {
        let time = timeTeller
        let tell = { [weak self] (notice: Notice) in
            guard let self else { return }
            hear(notice)
        }
        let shortage = { [weak self] in self?.lackOfDescriptors() }
        let name = { [weak self] (id: Target.ID) in self?.watches[id]?.target.label }
        return switch method {
        case .icmp: EchoProber(loop: gate.loop, logger: logger, time: time, tell: tell)
        case .tcp: ConnectProber(loop: gate.loop, desk: searches, shortage: shortage, time: time, tell: tell)
        case .session: SessionProber(loop: gate.loop, desk: searches, shortage: shortage, time: time, tell: tell)
        case .tls: TLSProber(loop: gate.loop, contexts: tls, shortage: shortage, time: time, tell: tell)
        case .http, .https:
            HTTPProber(
                gate: gate,
                contexts: tls,
                searches: searches,
                names: wayside,
                shortage: shortage,
                time: time,
                tell: tell
            )
        case .dns: DNSProber(loop: gate.loop, resolvers: SystemResolvers().servers, time: time, tell: tell)
        case .udp: DatagramProber(loop: gate.loop, desk: searches, time: time, tell: tell)
        case .link, .route: LinkProber(tell: tell)
        case .exec: CommandProber(gate: gate, pool: commands, name: name, time: time, tell: tell)
        }
    }
}
