import NIOCore
import NIOPosix

extension ClientBootstrap {
    /// Connects from there; nil leaves the choice to the system.
    func leaving(from origin: Origin?, toward destination: IPAddress) -> ClientBootstrap {
        switch origin {
        case nil: self
        case .address(let address): bind(to: address.socketAddress(port: 0))
        case .interface(let index):
            channelOption(Origin.channelOption(destination.family), value: SocketOptionValue(index))
        }
    }
}

extension DatagramBootstrap {
    /// Opens a datagram channel that is connected to `address` and leaves from there; nil leaves the choice to the
    /// system.
    func connect(to address: SocketAddress, leaving origin: Origin?) -> EventLoopFuture<any Channel> {
        switch origin {
        case nil:
            return connect(to: address)
        case .address(let local):
            return bind(to: local.socketAddress(port: 0)).flatMap { channel in
                channel.connect(to: address).map { channel }.flatMapError { error in
                    channel.close(promise: nil)
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
        case .interface(let index):
            let family: IPAddress.Family = if case .v6 = address { .ipv6 } else { .ipv4 }
            return channelOption(Origin.channelOption(family), value: SocketOptionValue(index))
                .connect(to: address)
        }
    }
}

extension Origin {
    fileprivate static func channelOption(_ family: IPAddress.Family) -> ChannelOptions.Types.SocketOption {
        let (level, name) = interfaceOption(family)
        return ChannelOptions.Types.SocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: level),
            name: NIOBSDSocket.Option(rawValue: name)
        )
    }
}
