public import Monitoring

extension Question {
    /// Whether a packet to the target would leave by a mobile network now, as far as this machine can tell.
    ///
    /// A target without an address (a command, any link, a name that was never resolved) goes by the way out of the machine.
    /// A tunnel is no mobile network, wherever it goes through.
    ///
    /// - Parameter address: the numeric address that was asked last.
    public func leavesByCellular(address: String?) -> Bool {
        var source: IPAddress?
        if let address = (address ?? host).flatMap({ IPAddress(literal: $0) }),
            case .from(let own) = KernelRoute(to: address)
        {
            source = own
        }
        // A machine that cannot tell its interfaces does not tell that one is mobile either.
        return (try? LocalNetwork.read())?.way(of: self, from: source)?.kind == .cellular
    }
}

extension LocalNetwork {
    /// The interface that packets to a target leave by; nil where none does.
    ///
    /// - Parameter source: the address that the packets bear, for a target that has an address itself.
    func way(of question: Question, from source: IPAddress?) -> Interface? {
        if case .link(let name?) = question { return interfaces.first { $0.name == name } }
        return source.flatMap { interface(of: $0) } ?? exit
    }
}
