import Monitoring

extension Question {
    /// The question of a method that connects to a port of a host.
    ///
    /// - Parameters:
    ///   - scheme: the scheme of the method.
    ///   - host: a name or a numeric address, an IPv6 address with or without brackets.
    /// - Throws: ``URLProblem``, for an invalid host or port.
    init(_ scheme: String, host: String, port: some BinaryInteger) throws(URLProblem) {
        try self.init("\(scheme)://\(host.bracketed):\(port)")
    }
}

extension String {
    /// The host in the syntax of URLs: an IPv6 address is in brackets (RFC 3986 §3.2.2).
    var bracketed: String {
        contains(":") && first != "[" ? "[\(self)]" : self
    }
}
