/// Where the targets are.
extension Roster {
    /// Returns where a target is.
    mutating func place(of position: Int) -> SideWatch.Place {
        // A copy of the watch would copy its tables when they change.
        guard let revision = sideWatch?.revision else { return .elsewhere }
        let state = states[position]
        if let known = sideWatch?.places[state.id], known.revision == revision, known.address == state.address {
            return known.place
        }
        let place = findPlace(of: state)
        sideWatch?.places[state.id] = SideWatch.KnownPlace(address: state.address, revision: revision, place: place)
        switch place {
        case .thisMachine, .gateway, .neighbour: sideWatch?.near[state.id] = place
        case .elsewhere, .behindGateway, .farSide: sideWatch?.near[state.id] = nil
        }
        return place
    }

    private func findPlace(of state: TargetState) -> SideWatch.Place {
        switch state.target.question {
        case .fleet, .exec: return .elsewhere
        case .link, .route: return .thisMachine
        default: break
        }
        guard let host = state.address ?? state.target.question.host else { return .elsewhere }
        guard let scope = AddressScope(host) else {
            // Where a name leads is known with its address.
            return host.isLocalName || host == "localhost" || host.hasSuffix(".localhost") ? .neighbour : .elsewhere
        }
        let bytes = IPAddressText.bytes(withoutZone: host) ?? []
        let own = settings.sides.addresses
        if scope == .thisMachine || own.contains(where: { $0.isSame(as: bytes) }) { return .elsewhere }
        if sideWatch?.gateways.contains(host) == true || sideWatch?.firstHops.contains(host) == true { return .gateway }
        let length = state.path.flatMap(\.length)
        if length == 1 || own.contains(where: { $0.isConnected(to: bytes) }) { return .neighbour }
        guard scope == .network else { return .farSide(NetworkKey(host, systems: settings.paths.systems)) }
        return length == nil ? .neighbour : .behindGateway
    }

    /// Applies the settings of sides, after new targets were applied.
    mutating func applySides(removed: [Target.ID], at now: Duration, into consequences: inout Consequences) {
        guard watchesSides else { return }
        guard settings.sides.isOn else {
            let waiting = sideWatch.map { Array($0.held.keys) } ?? []
            sideWatch = nil
            refreshSides(states.map(\.id), at: now, into: &consequences)
            for id in waiting.sorted() { giveVerdict(on: id, at: now, into: &consequences) }
            return
        }
        if sideWatch == nil { sideWatch = SideWatch() }
        for id in removed { sideWatch?.forget(id) }
        let names = Set(settings.sides.trusted)
        let trusted = states.filter { names.contains($0.target.name) || names.contains($0.target.label) }.map(\.id)
        sideWatch?.trusted = Set(trusted)
        if let gateways = settings.sides.gateways { sideWatch?.gateways = Set(gateways) }
        sideWatch?.revision += 1
        if sideWatch?.outage != nil { refreshSides(states.map(\.id), at: now, into: &consequences) }
    }
}

extension Target {
    /// Whether this is a link or a route on which every way out of this machine depends.
    var isWayOut: Bool {
        switch question {
        case .link(let name): name == nil
        case .route(let host): AddressScope(host) == .internet
        default: false
        }
    }
}

extension TargetPath {
    /// The number of hops to the target; nil if no trace reached it.
    var length: Int? {
        guard let newest else { return nil }
        if newest.end.isReached { return newest.end.hop }
        return newest.before.isEmpty ? nil : newest.before.count
    }
}
