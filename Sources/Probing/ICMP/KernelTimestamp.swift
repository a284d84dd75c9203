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
        guard let data = ControlMessages.data(level: SOL_SOCKET, type: option, size: 16, in: control) else {
            return nil
        }
        let seconds = data.loadUnaligned(as: Int64.self)
        let nanoseconds = data.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }
}
#endif
