import Monitoring

/// Where a target is found.
enum Place: Sendable, Hashable {
    /// Nowhere on the network: it has no host, or its prober finds it.
    case none
    /// At an address, which the settings name in numbers; nobody needs to resolve it.
    case address(IPAddress)
    /// Where this name leads.
    case name(NameQuery)
    /// At an address that cannot be probed: of the family that the target must not be asked in, or on an interface that
    /// does not exist.
    case unusable(Failure)

    init(of target: Target) {
        guard let host = target.question.host else {
            self = .none
            return
        }
        let name = NameQuery(host, family: target.askedFamily)
        if let zoned = ZonedAddress(host) {
            guard name.family.admits(zoned.address) else {
                self = .unusable(name.wrongAddress)
                return
            }
            self = zoned.current.map(Place.address) ?? .unusable(zoned.noInterface)
            return
        }
        switch IPAddress(literal: host) {
        case nil: self = .name(name)
        case let literal? where name.family.admits(literal): self = .address(literal)
        case _?: self = .unusable(name.wrongAddress)
        }
    }

    /// The address, where it is known without asking anybody.
    var address: IPAddress? {
        if case .address(let address) = self { address } else { nil }
    }

    /// The name that has to be resolved.
    var name: NameQuery? {
        if case .name(let name) = self { name } else { nil }
    }
}

extension Target {
    /// The family that it is asked in: where the settings leave that open, an address to leave from decides.
    var askedFamily: Family {
        guard family == .any, let source else { return family }
        // Of a link-local address, the interface may not exist yet.
        guard let address = IPAddress(literal: String(source.prefix { $0 != "%" })) else { return family }
        return address.family == .ipv4 ? .v4 : .v6
    }
}
