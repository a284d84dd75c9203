import ReachMonitoring
import ReachSystem

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

/// A link-local address with the name of its interface, `fe80::1%eth0`. The kernel uses the index of the interface,
/// which differs after the interface is deleted and created again.
struct ZonedAddress: Sendable, Hashable {
    /// The address without an interface.
    let address: IPAddress
    /// The name of the interface.
    let zone: String

    /// Parses such an address; nil for a name, any other address, and an interface given by its index.
    init?(_ text: String) {
        guard let percent = text.firstIndex(of: "%") else { return nil }
        let zone = text[text.index(after: percent)...]
        guard UInt32(zone) == nil, let address = IPAddress(literal: String(text[..<percent])), address.lacksInterface
        else { return nil }
        self.address = address
        self.zone = String(zone)
    }

    /// The address with the current index of the interface; nil if there is no such interface.
    var current: IPAddress? {
        let index = if_nametoindex(zone)
        return index == 0 ? nil : address.onLink(index)
    }

    /// The failure of a probe if there is no such interface.
    var noInterface: Failure {
        Failure(.noRoute, detail: "\(zone) does not exist")
    }
}
