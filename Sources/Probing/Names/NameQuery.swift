import Monitoring

/// What the resolver is asked: a name, and the family of the addresses that are wanted. One name has an address, and a
/// history of it, for each family that it is asked in.
struct NameQuery: Sendable, Hashable {
    let host: String
    let family: Family

    init(_ host: String, family: Family = .any) {
        self.host = host
        self.family = family
    }

    /// What is said where the name exists, but not in this family.
    var noAddress: Failure {
        Failure(.nameNotFound, detail: "\(String(quotingHost: host)) has no \(wanted)")
    }

    /// What is said where the host is an address of the other family.
    var wrongAddress: Failure {
        Failure(.nameNotFound, detail: "\(String(quotingHost: host)) is no \(wanted)")
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
