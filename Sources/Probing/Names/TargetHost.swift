import Monitoring

/// The host of a target, and how its address is found.
enum TargetHost: Sendable, Hashable {
    /// The target has no host, or its prober finds it.
    case none
    /// A numeric address in the settings; no lookup is needed.
    case address(IPAddress)
    /// A name that must be resolved.
    case name(NameQuery)
    /// An address that cannot be probed: of a family that the target excludes, or on an interface that does not exist.
    case unusable(Failure)

    init(of target: Target) {
        guard let host = target.question.peerHost else {
            self = .none
            return
        }
        let name = NameQuery(host, family: target.probedFamily)
        if let zoned = ZonedAddress(host) {
            guard name.family.admits(zoned.address) else {
                self = .unusable(name.wrongAddress)
                return
            }
            self = zoned.current.map(TargetHost.address) ?? .unusable(zoned.noInterface)
            return
        }
        switch IPAddress(literal: host) {
        case nil: self = .name(name)
        case let literal? where name.family.admits(literal): self = .address(literal)
        case _?: self = .unusable(name.wrongAddress)
        }
    }

    /// The address, if it is known without a lookup.
    var address: IPAddress? {
        if case .address(let address) = self { address } else { nil }
    }

    /// The name, if it must be resolved.
    var name: NameQuery? {
        if case .name(let name) = self { name } else { nil }
    }
}

extension Target {
    /// The address family for probes. Where the settings allow any, the source address decides.
    var probedFamily: Family {
        guard family == .any, let source else { return family }
        // The interface of a link-local source may not exist yet.
        guard let address = IPAddress(literal: String(source.prefix { $0 != "%" })) else { return family }
        return address.family == .ipv4 ? .v4 : .v6
    }
}

extension Question {
    /// The host that probes connect to: that of the question, or a proxy.
    fileprivate var peerHost: String? {
        if case .http(let question) = self { question.peerHost } else { host }
    }
}
