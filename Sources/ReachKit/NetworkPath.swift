#if canImport(Network)
import Network
#elseif canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The properties of this machine's path to the network, from ``Prober/networkPath()``. They have the names of those of
/// `NWPath` in Apple's Network framework. A property that the system does not report is nil.
public struct NetworkPath: Sendable, Hashable, Codable {
    /// Whether the traffic may cost money, as on a mobile network or the hotspot of a phone. Linux does not report it.
    public var isExpensive: Bool?
    /// Whether the user asks programs for little traffic (Low Data Mode). Linux does not report it.
    public var isConstrained: Bool?
    /// Whether a DNS server is configured; whether it answers is not known. On Linux, that is a `nameserver` in
    /// `/etc/resolv.conf` (resolv.conf(5)), and nil without the file.
    public var supportsDNS: Bool?

    /// Creates a path with these properties; unknown by default.
    public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, supportsDNS: Bool? = nil) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.supportsDNS = supportsDNS
    }
}

extension NetworkPath {
    #if canImport(Network)
    /// Asks the system.
    static func current() async -> NetworkPath {
        for await path in NWPathMonitor() {
            return NetworkPath(
                isExpensive: path.isExpensive,
                isConstrained: path.isConstrained,
                supportsDNS: path.supportsDNS
            )
        }
        return NetworkPath()
    }
    #else
    /// Asks the system.
    @concurrent static func current() async -> NetworkPath {
        let text = try? Data(contentsOf: URL(filePath: "/etc/resolv.conf"))
        return NetworkPath(supportsDNS: text.map { namesServer(String(decoding: $0, as: UTF8.self)) })
    }
    #endif

    /// Whether a text in the format of resolv.conf(5) names a server.
    static func namesServer(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.first == "nameserver" && words.count > 1
        }
    }
}
