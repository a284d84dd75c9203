#if os(Linux)
import NIOCore
import NIOPosix
import ReachMonitoring

import ReachSystem

/// A socket for the kernel's messages about this machine's network (netlink(7)). Confined to its event loop.
///
/// SwiftNIO treats it as the reading end of a pipe. Lost messages (`ENOBUFS`) close it, which is reported like a
/// change.
final class NetlinkSocket: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// `RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR`, `RTMGRP_IPV4_ROUTE`, `RTMGRP_IPV6_IFADDR` and `RTMGRP_IPV6_ROUTE` of
    /// <linux/rtnetlink.h>.
    static let network: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    /// `RTMGRP_NEIGH`: the hosts of the local network.
    static let neighbours: UInt32 = 0x4

    private let receive: (ByteBuffer) -> Void
    private let ended: () -> Void
    private var channel: (any Channel)?

    private init(receive: @escaping (ByteBuffer) -> Void, ended: @escaping () -> Void) {
        self.receive = receive
        self.ended = ended
    }

    /// Opens a socket for these groups of messages. `receive` is called with each datagram, and `ended` once, after
    /// the last one.
    static func open(
        on loop: any EventLoop,
        groups: UInt32,
        receive: @escaping (ByteBuffer) -> Void,
        ended: @escaping () -> Void
    ) throws(Fault) -> NetlinkSocket {
        let descriptor = try descriptor(groups)
        let socket = NetlinkSocket(receive: receive, ended: ended)
        let handler = NIOLoopBound(socket, eventLoop: loop)
        let opening = NIOPipeBootstrap(group: loop)
            // A datagram that does not fit is truncated; the kernel makes none larger than this.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 << 10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    handler.value.channel = channel
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
        var problem: (any Error)?
        // On the event loop, the descriptor is registered synchronously.
        opening.assumeIsolated().whenFailure { problem = $0 }
        if let problem {
            // The descriptor is still open.
            closeDescriptor(descriptor)
            throw Fault(.internal, detail: "netlink socket: \(problem)")
        }
        return socket
    }

    func close() {
        channel?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        ended()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Opens a socket of `NETLINK_ROUTE`.
    private static func descriptor(_ groups: UInt32) throws(Fault) -> CInt {
        let descriptor = socket(AF_NETLINK, SocketType.raw, 0)
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // `struct sockaddr_nl`: the family, two bytes of padding, the port (selected by the kernel), the groups.
        let address: [UInt32] = [0, 0, groups]
        let code = address.withUnsafeBytes { bytes in
            var copy = sockaddr_storage()
            withUnsafeMutableBytes(of: &copy) { $0.copyMemory(from: bytes) }
            copy.ss_family = sa_family_t(AF_NETLINK)
            return withUnsafePointer(to: copy) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(bytes.count)) == 0 ? 0 : errno
                }
            }
        }
        guard code == 0 else {
            closeDescriptor(descriptor)
            throw Fault(errno: code)
        }
        return descriptor
    }
}
#endif
