import Monitoring

extension ProbeLoop {
    /// The prober of a method, made at its first use.
    func prober(for method: Method) -> any Prober {
        if let prober = probers[method] { return prober }
        let prober = makeProber(for: method)
        probers[method] = prober
        return prober
    }

    /// Returns the time, also after the loop is released: on a shared event loop, connections may still close after it.
    private var clock: () -> Duration {
        { [weak self, now] in self?.time() ?? now() }
    }

    /// Makes the name resolver.
    func makeNames() -> NameResolver {
        NameResolver(
            gate: gate,
            lanes: lane.assignment.count,
            resolve: resolve,
            time: clock,
            report: { [weak self] in self?.receive($0) }
        )
    }

    /// Makes the watch for changes of this machine's network.
    func makeLinks() -> LinkWatch {
        LinkWatch(
            loop: gate.loop,
            isFollower: !lane.isFirst,
            logger: logger,
            time: clock,
            wake: { [weak self] in self?.setAlarm() },
            report: { [weak self] in self?.receive($0) }
        )
    }

    /// Makes the store of TLS contexts.
    func makeTLS() -> TLSContexts {
        TLSContexts(gate: gate, wallTime: TLSContexts.systemTime)
    }

    /// Makes the searcher for patterns in replies.
    func makeSearches() -> PatternSearcher {
        PatternSearcher(gate: gate, pool: searchPool)
    }

    /// Makes the resolver for the hosts of redirects.
    func makeRedirectResolver() -> RedirectResolver {
        RedirectResolver(
            gate: gate,
            targets: { [weak self] in self?.watches.count ?? 0 },
            resolve: resolve,
            time: clock
        )
    }

    /// Makes the prober of a method. A new method is a case here and a file of its own.
    private func makeProber(for method: Method) -> any Prober {
        let time = clock
        let report = { [weak self] (event: ProberEvent) in
            guard let self else { return }
            receive(event)
        }
        let shortage = { [weak self] in self?.descriptorShortage() }
        let name = { [weak self] (id: Target.ID) in self?.watches[id]?.target.label }
        return switch method {
        case .icmp: EchoProber(loop: gate.loop, logger: logger, time: time, report: report)
        case .tcp: ConnectProber(loop: gate.loop, searches: searches, shortage: shortage, time: time, report: report)
        case .session:
            SessionProber(loop: gate.loop, searches: searches, shortage: shortage, time: time, report: report)
        case .tls: TLSProber(loop: gate.loop, contexts: tls, shortage: shortage, time: time, report: report)
        case .http, .https:
            HTTPProber(
                gate: gate,
                contexts: tls,
                searches: searches,
                redirects: redirectResolver,
                shortage: shortage,
                time: time,
                report: report
            )
        case .dns: DNSProber(loop: gate.loop, resolvers: SystemResolvers().servers, time: time, report: report)
        case .udp: DatagramProber(loop: gate.loop, searches: searches, time: time, report: report)
        case .redis, .rediss, .postgres, .mysql:
            DatabaseProber(gate: gate, contexts: tls, shortage: shortage, time: time, report: report)
        case .link, .route: LinkProber(report: report)
        // No target of the fleet is assigned to a prober.
        case .fleet: preconditionFailure("a target of the fleet is not probed")
        case .exec: CommandProber(gate: gate, pool: commands, name: name, time: time, report: report)
        }
    }
}
