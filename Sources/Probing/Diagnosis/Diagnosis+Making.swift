import LibC
import Monitoring
import NIOPosix

extension Diagnosis {
    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - names: the names to look up, all at the same time.
    ///   - limit: the timeout of a lookup.
    public static func make(lookingUp names: [String], within limit: Duration) async -> Diagnosis {
        let lookups = await withTaskGroup(of: (Int, Lookup).self) { group in
            for (index, name) in names.enumerated() {
                group.addTask { (index, await Lookup(name, within: limit)) }
            }
            return await group.reduce(into: [(Int, Lookup)]()) { $0.append($1) }
        }
        // Without a list of interfaces, none can be used.
        let network = (try? LocalNetwork.read()) ?? LocalNetwork(interfaces: [])
        return Diagnosis(
            echo: [.v4: Echo(.ipv4), .v6: Echo(.ipv6)],
            links: network.interfaces.filter { !$0.isLoopback }.map { Link(name: $0.name, trouble: $0.problem) },
            ways: defaultRoutes(of: network),
            resolvers: SystemResolvers().servers(at: .zero).map { "\($0.address)" },
            lookups: lookups.sorted { $0.0 < $1.0 }.map(\.1),
            descriptors: .current
        )
    }

    private static func defaultRoutes(of network: LocalNetwork) -> [Family: OutboundRoutes] {
        var routes: [Family: OutboundRoutes] = [:]
        for source in network.sources {
            guard let interface = network.interface(of: source), interface.problem == nil else { continue }
            routes[source.family == .ipv4 ? .v4 : .v6] = OutboundRoutes(
                interface: interface.name,
                kind: interface.kind?.rawValue,
                source: "\(source)"
            )
        }
        return routes
    }
}

extension Diagnosis.Echo {
    fileprivate init(_ family: IPAddress.Family) {
        do {
            let descriptor = try EchoSocket.descriptor(for: EchoSocket.Kind(family: family, ttl: 64, dscp: 0))
            defer { closeDescriptor(descriptor) }
            self = SocketType.of(descriptor) == SocketType.raw ? .raw : .datagram
        } catch {
            self = .refused(error)
        }
    }
}

extension Diagnosis.Lookup {
    /// Looks a name up. A lookup that exceeds the limit is abandoned.
    fileprivate init(_ name: String, within limit: Duration) async {
        let start = ContinuousClock.now
        let (ends, end) = AsyncStream.makeStream(of: Resolution.self)
        let watchdog = Task {
            try await Task.sleep(for: limit)
            let detail = "resolver timeout for \(name)"
            end.yield(.failure(Failure(.resolverFailed, detail: detail)))
        }
        NIOThreadPool.singleton.submit { _ in end.yield(Resolution.system(NameQuery(name))) }
        let resolution = await ends.first { _ in true }
        watchdog.cancel()
        let duration = ContinuousClock.now - start
        switch resolution {
        case .addresses(let found):
            self.init(name: name, addresses: found.map { "\($0)" }, duration: duration)
        case .failure(let failure):
            self.init(name: name, addresses: [], failure: failure, duration: duration)
        case .fault(let fault):
            let failure = Failure(.resolverFailed, detail: fault.detail)
            self.init(name: name, addresses: [], failure: failure, duration: duration)
        case nil:
            self.init(name: name, addresses: [], failure: Failure(.resolverFailed), duration: duration)
        }
    }
}
