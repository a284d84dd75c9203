#if os(Linux)
    import LibC

    /// A network interface of Linux whose other end is this process: what the kernel sends by it is read here, and what
    /// is written here, the kernel receives. Whoever makes it closes it.
    public struct Tunnel: Sendable {
        /// Its name, which no other interface has.
        public let name = "t\(String(UInt32.random(in: .min ... .max), radix: 36))"
        /// This process's end. A packet is one read, or one write.
        public let descriptor: Int32

        /// What stood in the way of a tunnel: the call that failed, and why.
        public struct Trouble: Error, CustomStringConvertible {
            /// The call and the words of its error number.
            public let description: String

            /// Takes the error number of a call that has just failed.
            public init(_ call: String) {
                description = "\(call): \(String(cString: strerror(errno)))"
            }
        }

        /// Makes an interface in the network of the calling thread.
        ///
        /// - Parameter address: its address in a network of 256, if it is to be up at once.
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

        /// Gives the interface an address, and sets it up.
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

        /// Sets the interface up or down; only for threads in its own network.
        public func set(isUp: Bool) throws(Trouble) {
            let control = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { LibC.close(control) }
            var request = request(with: [isUp ? UInt8(IFF_UP) : 0, 0])
            guard ioctl(control, 0x8914, &request) == 0 else { throw Trouble("SIOCSIFFLAGS") }
        }

        /// The next packet that the kernel has sent; nil if there is none.
        public func receive() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 2_048)
            let count = read(descriptor, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : nil
        }

        /// Hands the kernel a packet.
        public func send(_ packet: [UInt8]) {
            _ = write(descriptor, packet, packet.count)
        }

        /// Closes this process's end, and with it the interface.
        public func close() {
            LibC.close(descriptor)
        }

        /// A `struct ifreq` (netdevice(7)): 16 bytes of name, then what the request is about.
        private func request(with content: [UInt8]) -> [UInt8] {
            let head = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
            return head + content + [UInt8](repeating: 0, count: 24 - content.count)
        }
    }
#endif
