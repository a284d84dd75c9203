import ReachMonitoring

extension PathAnswer.Kind {
    /// Creates the answer that an ICMP error message gives; nil for messages that say nothing about the path.
    ///
    /// - Parameters:
    ///   - mtu: the MTU in the message, if it has one.
    ///   - isFromDestination: whether the destination of the probe sent the message.
    init?(icmpType type: UInt8, code: UInt8, family: IPAddress.Family, mtu: UInt32, isFromDestination: Bool) {
        let isTooBig = family == .ipv4 ? type == 3 && code == 4 : type == 2
        if isTooBig {
            self = .tooBig(mtu: Int(mtu))
            return
        }
        switch Reason(icmpType: type, code: code, family: family) {
        case .ttlExceeded: self = .exceeded
        case .refused: self = isFromDestination ? .reached(.refused) : .unreachable(.refused)
        case .networkUnreachable: self = .unreachable(.networkUnreachable)
        case .hostUnreachable: self = .unreachable(.hostUnreachable)
        case .prohibited: self = .unreachable(.prohibited)
        default: return nil
        }
    }
}
