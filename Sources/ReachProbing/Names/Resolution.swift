import ReachMonitoring
import ReachSystem

/// The result of a name lookup.
enum Resolution: Sendable, Hashable {
    /// The addresses in the order of preference (RFC 6724); never empty.
    case addresses([IPAddress])
    /// The name has no addresses, or the resolver failed.
    case failure(Failure)
    /// The lookup could not be made.
    case fault(Fault)

    /// Looks a name up with the system's resolver. Blocks: never call it on an event loop.
    static func system(_ name: NameQuery) -> Resolution {
        var code: CInt = 0
        // Addresses of families that this machine lacks are left out, unless the user requests that family.
        let flags = name.family == .any ? AI_ADDRCONFIG : 0
        let found = addresses(of: name.host, family: name.family, flags: flags, code: &code)
        if let resolution = Resolution(usable: found, of: name) { return resolution }
        // The resolver does not report a lack of descriptors; opening one shows it.
        if let fault = Fault.descriptorShortage() { return .fault(fault) }
        let failure = Failure(resolverCode: code, host: name.host)
        guard name.family != .any, failure.reason == .nameNotFound else { return .failure(failure) }
        // The code alone does not distinguish a name that does not exist from one without such an address.
        return .failure(addresses(of: name.host, flags: 0).isEmpty ? failure : name.noAddress)
    }

    /// Keeps the addresses that can be probed; nil if none was found. A link-local address from a name server lacks its
    /// interface, which is no fault of this machine. Replies to a multicast address come from other addresses. An
    /// IPv4-mapped address is an IPv4 address.
    init?(usable found: [IPAddress], of name: NameQuery) {
        guard !found.isEmpty else { return nil }
        let wanted = found.filter(name.family.admits)
        let usable = wanted.filter { !$0.lacksInterface && !$0.isMulticast }
        let kind = wanted.contains(where: \.lacksInterface) ? "link-local" : "multicast"
        let detail = "\(String(quotingHost: name.host)) has only \(kind) addresses"
        let failure = wanted.isEmpty ? name.noAddress : Failure(.noRoute, detail: detail)
        self = usable.isEmpty ? .failure(failure) : .addresses(usable)
    }

    /// The result for a host that is a numeric address; nil for a name.
    init?(literal name: NameQuery) {
        guard let address = IPAddress(literal: name.host) else { return nil }
        self = name.family.admits(address) ? .addresses([address]) : .failure(name.wrongAddress)
    }

    static func addresses(of host: String, flags: CInt) -> [IPAddress] {
        var code: CInt = 0
        return addresses(of: host, family: .any, flags: flags, code: &code)
    }

    /// The result with the addresses of the wanted family only.
    func only(_ name: NameQuery) -> Resolution {
        guard case .addresses(let found) = self else { return self }
        let wanted = found.filter(name.family.admits)
        return wanted.isEmpty ? .failure(name.noAddress) : .addresses(wanted)
    }

    private static func addresses(
        of host: String,
        family: Family,
        flags: CInt,
        code: inout CInt
    ) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_family =
            switch family {
            case .any: AF_UNSPEC
            case .v4: AF_INET
            case .v6: AF_INET6
            }
        // With a single socket type; otherwise each address is returned once for each type.
        hints.ai_socktype = SocketType.stream
        var list: UnsafeMutablePointer<addrinfo>?
        code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next })
            .prefix { $0 != nil }
            .compactMap { entry in entry?.pointee.ai_addr.flatMap { IPAddress(UnsafePointer($0)) } }
    }
}

extension Failure {
    /// Creates the failure for a return code of the resolver.
    init(resolverCode code: CInt, host: String) {
        // glibc declares these under _GNU_SOURCE only: the name exists, but has no address, or none of this family.
        let (noAddress, noFamily): (CInt, CInt) = (-5, -9)
        switch code {
        case EAI_NONAME, noAddress, noFamily, 0:
            self.init(.nameNotFound, detail: "\(String(quotingHost: host)) not found")
        default: self.init(.resolverFailed, detail: "resolver: \(String(cString: gai_strerror(code)))")
        }
    }
}

extension IPAddress {
    /// Parses a numeric address, `fe80::1%eth0` included; nil for a name. Makes no lookup.
    init?(literal text: String) {
        guard let address = Resolution.addresses(of: text, flags: AI_NUMERICHOST).first else { return nil }
        self = address
    }
}

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
