#if os(Linux)
import LibC

/// A tunnel interface of Linux (TUN). What the kernel sends through it is read here, and what is written here, the
/// kernel receives. The creator closes it.
public struct Tunnel: Sendable {
    /// The name of the interface, which is unique.
    public let name = "t\(String(UInt32.random(in: .min ... .max), radix: 36))"
    /// The file descriptor of this process's end. Each read or write is one packet.
    public let descriptor: Int32

    /// A failed system call, and its error.
    public struct Trouble: Error, CustomStringConvertible {
        /// The call and its error message.
        public let description: String

        /// Creates an error from the `errno` of a call that has just failed.
        public init(_ call: String) {
            description = "\(call): \(String(cString: strerror(errno)))"
        }
    }

    /// Creates an interface in the network namespace of the calling thread.
    ///
    /// - Parameter address: the address in a /24 network; nil to leave the interface down.
    public init(raisedAt address: (UInt8, UInt8, UInt8, UInt8)? = nil) throws(Trouble) {
        descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Trouble("/dev/net/tun") }
        // A struct ifreq with IFF_TUN | IFF_NO_PI; the request is TUNSETIFF.
        var request = request(with: [0x01, 0x10])
        guard ioctl(descriptor, 0x4004_54CA, &request) == 0 else {
            let trouble = Trouble("TUNSETIFF")
            LibC.close(descriptor)
            throw trouble
        }
        if let address { try raise(address) }
    }

    /// Assigns an address to the interface, and sets it up.
    private func raise(_ address: (UInt8, UInt8, UInt8, UInt8)) throws(Trouble) {
        let control = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { LibC.close(control) }
        let inet: [UInt8] = [UInt8(AF_INET), 0, 0, 0]
        let steps: [(String, UInt, [UInt8])] = [
            ("SIOCSIFADDR", 0x8916, inet + [address.0, address.1, address.2, address.3]),
            ("SIOCSIFNETMASK", 0x891C, inet + [255, 255, 255, 0]),
        ]
        for (name, number, content) in steps {
            var request = request(with: content)
            guard ioctl(control, number, &request) == 0 else { throw Trouble(name) }
        }
        try set(isUp: true)
    }

    /// Sets the interface up or down; only for threads in its network namespace.
    public func set(isUp: Bool) throws(Trouble) {
        let control = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { LibC.close(control) }
        var request = request(with: [isUp ? UInt8(IFF_UP) : 0, 0])
        guard ioctl(control, 0x8914, &request) == 0 else { throw Trouble("SIOCSIFFLAGS") }
    }

    /// Returns the next packet from the kernel; nil if there is none.
    public func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Sends a packet to the kernel.
    public func send(_ packet: [UInt8]) {
        _ = write(descriptor, packet, packet.count)
    }

    /// Closes this process's end, which removes the interface.
    public func close() {
        LibC.close(descriptor)
    }

    /// A `struct ifreq` (netdevice(7)): 16 bytes of name, then the argument of the request.
    private func request(with content: [UInt8]) -> [UInt8] {
        let head = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
        return head + content + [UInt8](repeating: 0, count: 24 - content.count)
    }
}
#endif
