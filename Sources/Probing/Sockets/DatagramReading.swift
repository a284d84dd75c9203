#if os(Linux)
    import LibC

    /// Room for one datagram at a time: its beginning, who it is from, and what the kernel says about it.
    struct DatagramReading {
        /// More than the kernel adds to an error.
        private static let controlSize = 512

        private var payload: [UInt8]
        private var control = [UInt8](repeating: 0, count: Self.controlSize)
        private var payloadSize = 0
        private var controlSize = 0
        /// The peer of the last datagram; in the error queue, whom it was for.
        private(set) var address: IPAddress?
        /// The peer's port, of a socket that has ports.
        private(set) var port: UInt16 = 0

        /// - Parameter room: how many bytes of a datagram are kept.
        init(room: Int) {
            payload = [UInt8](repeating: 0, count: room)
        }

        /// The beginning of the last datagram.
        var bytes: ArraySlice<UInt8> { payload[..<payloadSize] }
        /// The control messages of the last datagram (cmsg(3)).
        var messages: ArraySlice<UInt8> { control[..<controlSize] }

        /// Reads the next datagram, without waiting.
        ///
        /// - Parameter flags: `MSG_ERRQUEUE` for those that came back.
        /// - Returns: The error number, zero if there is a datagram.
        mutating func next(from descriptor: CInt, flags: CInt = 0) -> CInt {
            var name = sockaddr_storage()
            let code = withUnsafeMutableBytes(of: &name) { name in
                payload.withUnsafeMutableBytes { payload in
                    control.withUnsafeMutableBytes { control in
                        var vector = iovec(iov_base: payload.baseAddress, iov_len: payload.count)
                        return withUnsafeMutablePointer(to: &vector) { vector in
                            var header = msghdr()
                            header.msg_name = name.baseAddress
                            header.msg_namelen = socklen_t(name.count)
                            header.msg_iov = vector
                            header.msg_iovlen = 1
                            header.msg_control = control.baseAddress
                            header.msg_controllen = .init(control.count)
                            let count = recvmsg(descriptor, &header, flags | CInt(MSG_DONTWAIT))
                            guard count >= 0 else { return errno }
                            payloadSize = count
                            controlSize = Int(header.msg_controllen)
                            address = IPAddress(sockaddr: UnsafeRawBufferPointer(name))
                            // Both families have it behind the family (ip(7), ipv6(7)).
                            port = UInt16(bigEndian: name.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
                            return 0
                        }
                    }
                }
            }
            return code
        }
    }
#endif
