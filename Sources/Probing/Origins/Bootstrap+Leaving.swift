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

extension Origin {
    fileprivate static func channelOption(_ family: IPAddress.Family) -> ChannelOptions.Types.SocketOption {
        let (level, name) = interfaceOption(family)
        return ChannelOptions.Types.SocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: level),
            name: NIOBSDSocket.Option(rawValue: name)
        )
    }
}
