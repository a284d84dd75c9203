#if Fetch
import Monitoring

/// A target of the form `HOST:PORT` or `[V6]:PORT`.
enum HostPort {
    /// Parses a target. The port is nil if the target has none; the result is nil for a target with an invalid port, or with
    /// colons that are not that of a port.
    ///
    /// An international name becomes its form in ASCII; one that is invalid stays, and is not found.
    static func parse(_ text: String) -> (host: String, port: UInt16?)? {
        guard let (host, port) = split(text) else { return nil }
        return ((try? host.convertedDomainName) ?? host, port)
    }

    private static func split(_ text: String) -> (host: String, port: UInt16?)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = String(text[..<end].dropFirst())
            let rest = text[text.index(after: end)...]
            guard !rest.isEmpty else { return (host, nil) }
            guard rest.first == ":", let port = port(rest.dropFirst()) else { return nil }
            return (host, port)
        }
        let colons = text.count { $0 == ":" }
        guard colons == 1, let colon = text.firstIndex(of: ":") else {
            // A bare IPv6 address has no port.
            return colons == 0 || IPAddress(literal: text) != nil ? (text, nil) : nil
        }
        guard let port = port(text[text.index(after: colon)...]) else { return nil }
        return (String(text[..<colon]), port)
    }

    private static func port(_ text: Substring) -> UInt16? {
        text.allSatisfy { ("0"..."9").contains($0) } ? UInt16(text) : nil
    }
}
#endif
