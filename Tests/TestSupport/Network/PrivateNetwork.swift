#if os(Linux)

import Foundation
import ReachSystem
import Synchronization

/// An unnamed network namespace. It exists as long as the threads that were started in it.
public enum PrivateNetwork {
    /// Runs `body` on a thread in a new network namespace; threads that it starts are in it too.
    public static func enter<Result>(
        _ body: @escaping @Sendable () throws -> sending Result
    ) async throws -> sending Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try leaveNetwork()
                    continuation.resume(returning: try body())
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Whether this user may create a network namespace with a tunnel.
    public static func isAllowed() async -> Bool {
        (try? await enter { try Tunnel().close() }) != nil
    }

    /// Moves the calling thread to an empty network namespace (unshare(2)), which requires root.
    private static func leaveNetwork() throws {
        // The header declares it only with _GNU_SOURCE.
        typealias Unshare = @convention(c) (CInt) -> CInt
        let newNetwork: CInt = 0x4000_0000
        guard let symbol = dlsym(nil, "unshare") else { throw CocoaError(.featureUnsupported) }
        guard unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else { throw POSIXError(.EPERM) }
    }
}

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
            ReachSystem.close(descriptor)
            throw trouble
        }
        if let address { try raise(address) }
    }

    /// Assigns an address to the interface, and sets it up.
    private func raise(_ address: (UInt8, UInt8, UInt8, UInt8)) throws(Trouble) {
        let control = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { ReachSystem.close(control) }
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
        defer { ReachSystem.close(control) }
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
        ReachSystem.close(descriptor)
    }

    /// A `struct ifreq` (netdevice(7)): 16 bytes of name, then the argument of the request.
    private func request(with content: [UInt8]) -> [UInt8] {
        let head = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
        return head + content + [UInt8](repeating: 0, count: 24 - content.count)
    }
}

/// A link between two networks with a constant delay in both directions.
public final class DelayedLink: Sendable {
    private let isClosing = Atomic(false)

    /// - Parameters:
    /// - delay: the delay of each packet.
    /// - ends: the tunnels of the networks; they are closed with the last reference.
    public init(_ delay: Duration, between ends: (Tunnel, Tunnel)) {
        Thread.detachNewThread { [weak self] in
            var inFlight: [(due: ContinuousClock.Instant, end: Tunnel, packet: [UInt8])] = []
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = [ends.0, ends.1].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                poll(&polled, 2, inFlight.isEmpty ? 20 : 1)
                for (near, far) in [(ends.0, ends.1), (ends.1, ends.0)] {
                    while let packet = near.receive() { inFlight.append((.now + delay, far, packet)) }
                }
                // The delay is constant, so packets stay in order.
                while let first = inFlight.first, first.due <= .now {
                    first.end.send(first.packet)
                    inFlight.removeFirst()
                }
            }
            ends.0.close()
            ends.1.close()
        }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
    }
}

#endif
