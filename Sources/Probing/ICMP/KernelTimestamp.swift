#if os(Linux)
import LibC

/// The kernel's time stamp of a packet's arrival, from a control message.
enum KernelTimestamp {
    /// SO_TIMESTAMPNS_NEW of <asm-generic/socket.h>, also the type of its control messages. Each has a struct
    /// __kernel_timespec, of 64 bits on every machine.
    static let option: CInt = 64

    /// Finds the stamp among the control messages of a packet (cmsg(3)), as the time since 1970; nil if there is
    /// none.
    static func time(in control: UnsafeRawBufferPointer) -> Duration? {
        let unit = MemoryLayout<Int>.size
        let header = unit + 8
        var start = 0
        while control.count - start >= header {
            let length = control.loadUnaligned(fromByteOffset: start, as: Int.self)
            guard length >= header, length <= control.count - start else { return nil }
            let level = control.loadUnaligned(fromByteOffset: start + unit, as: CInt.self)
            let type = control.loadUnaligned(fromByteOffset: start + unit + 4, as: CInt.self)
            if level == SOL_SOCKET, type == option, length >= header + 16 {
                let seconds = control.loadUnaligned(fromByteOffset: start + header, as: Int64.self)
                let nanoseconds = control.loadUnaligned(fromByteOffset: start + header + 8, as: Int64.self)
                return .seconds(seconds) + .nanoseconds(nanoseconds)
            }
            start += (length + unit - 1) / unit * unit
        }
        return nil
    }
}
#endif
