import LibC
import NIOCore
import NIOPosix

extension ClientBootstrap {
    /// Sets the source of the connection; nil leaves the choice to the system.
    func leaving(from origin: Origin?, toward destination: IPAddress) -> ClientBootstrap {
        switch origin {
        case nil:
            return self
        case .address(let address):
            #if os(Linux)
            let option = ChannelOptions.Types.SocketOption(
                level: NIOBSDSocket.OptionLevel(rawValue: CInt(IPPROTO_IP)),
                name: NIOBSDSocket.Option(rawValue: Origin.bindAddressNoPort)
            )
            return channelOption(option, value: 1).bind(to: address.socketAddress(port: 0))
            #else
            return bind(to: address.socketAddress(port: 0))
            #endif
        case .interface(let index):
            return channelOption(Origin.channelOption(destination.family), value: SocketOptionValue(index))
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
