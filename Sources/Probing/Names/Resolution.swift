import LibC
import Monitoring

/// What a lookup of a name came to.
enum Resolution: Sendable, Hashable {
    /// The addresses in the order of preference (RFC 6724); never empty.
    case addresses([IPAddress])
    /// There are none, or nobody knows.
    case failure(Failure)
    /// Nobody could be asked.
    case fault(Fault)

    /// Asks the system's resolver, and blocks until it answers: never on an event loop.
    static func system(_ name: NameQuery) -> Resolution {
        var code: CInt = 0
        // What this machine cannot speak is left out, unless it is just what the user asks for.
        let flags = name.family == .any ? AI_ADDRCONFIG : 0
        let found = addresses(of: name.host, family: name.family, flags: flags, code: &code)
        if let resolution = Resolution(usable: found, of: name) { return resolution }
        // The resolver does not tell that it had no descriptor for asking; whoever tries to get one finds out.
        if let fault = Fault.lackOfDescriptors() { return .fault(fault) }
        let failure = Failure(resolverCode: code, host: name.host)
        guard name.family != .any, failure.reason == .nameNotFound else { return .failure(failure) }
        // The code alone does not tell a name that does not exist from one that has no such address.
        return .failure(addresses(of: name.host, flags: 0).isEmpty ? failure : name.noAddress)
    }

    /// The addresses that a connection can be made to; nil if none was found. A link-local address from a name server lacks
    /// its interface, and that is no fault of this machine.
    init?(usable found: [IPAddress], of name: NameQuery) {
        guard !found.isEmpty else { return nil }
        let usable = found.filter { !$0.lacksInterface }
        let detail = "\(String(quotingHost: name.host)) has only link-local addresses"
        self = usable.isEmpty ? .failure(Failure(.noRoute, detail: detail)) : .addresses(usable)
    }

    static func addresses(of host: String, flags: CInt) -> [IPAddress] {
        var code: CInt = 0
        return addresses(of: host, family: .any, flags: flags, code: &code)
    }

    /// What is left when only the addresses of the wanted family count.
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
        // One socket type, or every address would come once for each.
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
    /// What the resolver's return code says of a name.
    init(resolverCode code: CInt, host: String) {
        // glibc has these under _GNU_SOURCE only: the name exists, but has no address, or none of this family.
        let (noAddress, noFamily): (CInt, CInt) = (-5, -9)
        switch code {
        case EAI_NONAME, noAddress, noFamily, 0:
            self.init(.nameNotFound, detail: "\(String(quotingHost: host)) not found")
        default: self.init(.resolverFailed, detail: "resolver: \(String(cString: gai_strerror(code)))")
        }
    }
}
