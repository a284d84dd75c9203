import Monitoring

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a lookup of a name came to.
enum Resolution: Sendable, Hashable {
    /// The addresses in the order of preference (RFC 6724); never empty.
    case addresses([IPAddress])
    /// There are none, or nobody knows.
    case failure(Failure)

    /// Asks the system's resolver, and blocks until it answers: never on an event loop.
    static func system(_ host: String) -> Resolution {
        var code: CInt = 0
        let found = addresses(of: host, flags: AI_ADDRCONFIG, code: &code)
        guard found.isEmpty else { return .addresses(found) }
        return .failure(Failure(resolverCode: code, host: host))
    }

    static func addresses(of host: String, flags: CInt) -> [IPAddress] {
        var code: CInt = 0
        return addresses(of: host, flags: flags, code: &code)
    }

    private static func addresses(of host: String, flags: CInt, code: inout CInt) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags
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
        // glibc has this one under _GNU_SOURCE only: the name exists, but has no address.
        let noAddress: CInt = -5
        switch code {
        case EAI_NONAME, noAddress, 0: self.init(.nameNotFound, detail: "\(host) not found")
        default: self.init(.resolverFailed, detail: "resolver: \(String(cString: gai_strerror(code)))")
        }
    }
}
