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
        guard host != "" else {
            throw ValidationError("missing address – 0.0.0.0:\(port) listens on all interfaces")
        }
        let numeric = host == "localhost" ? "127.0.0.1" : host
        guard let address = try? SocketAddress(ipAddress: numeric, port: Int(port)) else {
            throw ValidationError("\"\(host)\" is not a numeric address")
        }
        self.init(address)
    }

    /// The address of a socket, in its shortest form.
    init(_ address: SocketAddress) {
        host = address.ipAddress ?? ""
        port = UInt16(clamping: address.port ?? 0)
    }

    /// Whether the address is a loopback address: only this machine can connect.
    var isLoopback: Bool {
        (try? socketAddress.isLoopback) ?? false
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

extension SocketAddress {
    /// Whether the address is a loopback address: `127.0.0.0/8`, also as an IPv6 address (`::ffff:127.0.0.1`), or `::1`.
    var isLoopback: Bool {
        // The system's own text of the bytes, whatever the spelling was.
        let text = ipAddress ?? ""
        return text == "::1" || ["127.", "::ffff:127."].contains(where: text.hasPrefix)
    }
}
