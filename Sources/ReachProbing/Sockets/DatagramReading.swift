#if os(Linux)

import ReachSystem

/// A reusable buffer for one datagram: its beginning, its sender, and the kernel's control messages.
struct DatagramReading {
    /// The size of the control messages, in bytes; more than the kernel adds to an error.
    private static let controlSize = 512

    private var payload: [UInt8]
    private var control = [UInt8](repeating: 0, count: Self.controlSize)
    private var payloadSize = 0
    private var controlSize = 0
    /// The sender of the last datagram; in the error queue, its destination.
    private(set) var address: IPAddress?
    /// The port of the sender, for sockets with ports.
    private(set) var port: UInt16 = 0

    /// - Parameter capacity: the maximum number of bytes kept of a datagram.
    init(capacity: Int) {
        payload = [UInt8](repeating: 0, count: capacity)
    }

    /// The beginning of the last datagram.
    var bytes: ArraySlice<UInt8> { payload[..<payloadSize] }
    /// The control messages of the last datagram (cmsg(3)).
    var messages: ArraySlice<UInt8> { control[..<controlSize] }

    /// Reads the next datagram without blocking.
    ///
    /// - Parameter flags: `MSG_ERRQUEUE` to read the error queue.
    /// - Returns: The error number; zero if there is a datagram.
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
                        // Both address families have the port after the family (ip(7), ipv6(7)).
                        port = UInt16(bigEndian: name.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
                        return 0
                    }
                }
            }
        }
        return code
    }
}

/// The control messages of a datagram (cmsg(3)): a length (of header and data), a level, a type and the data, all aligned
/// like the length.
enum ControlMessages {
    /// Returns the data of the first message of a type; nil if there is none, or if it has too few bytes.
    static func data(
        level: CInt,
        type: CInt,
        size: Int,
        in control: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        let unit = MemoryLayout<Int>.size
        let header = unit + 8
        var start = 0
        while control.count - start >= header {
            let length = control.loadUnaligned(fromByteOffset: start, as: Int.self)
            guard length >= header, length <= control.count - start else { return nil }
            let messageLevel = control.loadUnaligned(fromByteOffset: start + unit, as: CInt.self)
            let messageType = control.loadUnaligned(fromByteOffset: start + unit + 4, as: CInt.self)
            if messageLevel == level, messageType == type, length >= header + size {
                return UnsafeRawBufferPointer(rebasing: control[(start + header)..<(start + length)])
            }
            start += (length + unit - 1) / unit * unit
        }
        return nil
    }
}

/// The kernel's time stamp of a packet's arrival, from a control message.
enum KernelTimestamp {
    /// SO_TIMESTAMPNS_NEW of <asm-generic/socket.h>, also the type of its control messages. Each has a struct
    /// __kernel_timespec, of 64 bits on every machine.
    static let option: CInt = 64

    /// Finds the stamp among the control messages of a packet (cmsg(3)), as the time since 1970; nil if there is
    /// none.
    static func time(in control: UnsafeRawBufferPointer) -> Duration? {
        guard let data = ControlMessages.data(level: SOL_SOCKET, type: option, size: 16, in: control) else {
            return nil
        }
        let seconds = data.loadUnaligned(as: Int64.self)
        let nanoseconds = data.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }
}

/// The hop limit of a received packet, or its time to live, from a control message.
enum HopLimitMessage {
    /// IP_RECVTTL and IP_TTL of <linux/in.h>, IPV6_RECVHOPLIMIT and IPV6_HOPLIMIT of <linux/in6.h>: the options, and the
    /// types of their control messages.
    private static let options: [(level: CInt, option: CInt, type: CInt)] = [
        (CInt(IPPROTO_IP), 12, 2), (CInt(IPPROTO_IPV6), 51, 52),
    ]

    /// Enables the messages of a socket. The option of the other family fails.
    static func enable(of descriptor: CInt) {
        for entry in options { setOption(entry.option, entry.level, of: descriptor, to: 1) }
    }

    /// Finds the value among the control messages of a packet; nil if there is none.
    static func value(in control: UnsafeRawBufferPointer) -> Int? {
        for entry in options {
            let size = MemoryLayout<CInt>.size
            if let data = ControlMessages.data(level: entry.level, type: entry.type, size: size, in: control) {
                return Int(data.loadUnaligned(as: CInt.self))
            }
        }
        return nil
    }
}

#endif
