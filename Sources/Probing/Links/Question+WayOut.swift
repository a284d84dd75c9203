public import Monitoring

extension Question {
    /// Whether a packet to the target would leave by a mobile network now, as far as this machine can tell.
    ///
    /// A target without an address (a command, any link, a name that was never resolved) goes by the way out of the machine.
    /// A tunnel is no mobile network, wherever it goes through.
    ///
    /// - Parameter address: the numeric address that was asked last.
    public func leavesByCellular(address: String?) -> Bool {
        // A machine that cannot tell its interfaces does not tell that one is mobile either.
        exitKind(address: address) == .cellular
    }

    /// The sort of link by which a packet to the target would leave now; nil where nothing leads there, or the system does
    /// not tell.
    ///
    /// - Parameter address: the numeric address that was asked last.
    public func exitKind(address: String?) -> LinkKind? {
        let destination = (address ?? host).flatMap { IPAddress(literal: $0) }
        var source: IPAddress?
        if let destination, case .from(let own) = KernelRoute(to: destination) { source = own }
        return (try? LocalNetwork.read())?.way(of: self, to: destination, from: source)?.kind
    }
}

extension LocalNetwork {
    /// The interface that packets to a target leave by; nil where none does.
    ///
    /// - Parameters:
    ///   - destination: the target's address, where it has one.
    ///   - source: the address that packets for there bear, where they can leave.
    func way(of question: Question, to destination: IPAddress?, from source: IPAddress?) -> Interface? {
        if case .link(let name?) = question { return interfaces.first { $0.name == name } }
        // This machine itself, whichever interface has the address.
        if let destination, interface(of: destination) != nil { return interfaces.first(where: \.isLoopback) }
        return source.flatMap { interface(of: $0) } ?? exit
    }
}
