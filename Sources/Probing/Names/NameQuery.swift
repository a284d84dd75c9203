import Monitoring

/// A query for the resolver: a name, and the wanted address family. A name has a separate cache entry for each family.
struct NameQuery: Sendable, Hashable {
    let host: String
    let family: Family

    init(_ host: String, family: Family = .any) {
        self.host = host
        self.family = family
    }

    /// The failure for a name that exists, but has no address of this family.
    var noAddress: Failure {
        Failure(.nameNotFound, detail: "\(String(quotingHost: host)) has no \(wanted)")
    }

    /// The failure for a host that is an address of the other family.
    var wrongAddress: Failure {
        Failure(.nameNotFound, detail: "\(String(quotingHost: host)) is not an \(wanted)")
    }

    private var wanted: String {
        family == .any ? "address" : "IPv\(family.rawValue) address"
    }
}

extension Family {
    /// Whether an address is of this family.
    func admits(_ address: IPAddress) -> Bool {
        switch self {
        case .any: true
        case .v4: address.family == .ipv4
        case .v6: address.family == .ipv6
        }
    }
}
