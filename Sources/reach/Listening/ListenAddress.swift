import ArgumentParser
import NIOCore

/// The address of `watch --listen`: a numeric address of this machine and a port; port 0 is any free one.
struct ListenAddress: Sendable, Hashable {
    /// The address without brackets.
    let host: String
    let port: UInt16

    /// Parses `PORT`, `ADDRESS:PORT` or `[ADDRESS]:PORT`. Without an address, it is 127.0.0.1.
    ///
    /// - Throws: `ValidationError` with the problem and the fix.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let (host, port): (String, String)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = String(text[..<end].dropFirst())
            port = String(text[text.index(after: end)...].drop { $0 == ":" })
        } else if parts.count > 2 {
            throw ValidationError("an IPv6 address needs brackets – such as [::1]:9720")
        } else {
            host = parts.count == 2 ? parts[0] : "127.0.0.1"
            port = parts[parts.count - 1]
        }
        guard !port.isEmpty, port.allSatisfy({ ("0"..."9").contains($0) }) else {
            throw ValidationError("invalid port \"\(port)\" – such as 9720 or 127.0.0.1:9720")
        }
        guard let port = UInt16(port) else {
            throw ValidationError("port out of range – 0 to 65535, where 0 is any free port")
        }
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
        guard host != "" else {
            throw ValidationError("missing address – 0.0.0.0:\(port) listens on all interfaces")
        }
        guard (try? socketAddress) != nil else {
            throw ValidationError("\"\(host)\" is not a numeric address")
        }
    }

    /// The address of a listening socket.
    init(_ address: SocketAddress) {
        host = address.ipAddress ?? ""
        port = UInt16(clamping: address.port ?? 0)
    }

    /// Whether the address is a loopback address: only this machine can connect.
    var isLoopback: Bool {
        host.hasPrefix("127.") || host == "::1"
    }

    /// The address for SwiftNIO.
    var socketAddress: SocketAddress {
        get throws { try SocketAddress(ipAddress: host, port: Int(port)) }
    }

    /// The address as in a URL: `127.0.0.1:9720`, `[::1]:9720`.
    var text: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
