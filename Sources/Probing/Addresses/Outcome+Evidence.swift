import Monitoring

extension Outcome {
    /// How much an outcome says about a target with several addresses. Of several outcomes the highest is reported:
    /// what the host said, before what a router said about it, before silence, before a missing route to one of the
    /// addresses. A machine without IPv6 thus reports why the IPv4 address does not answer.
    var evidence: Int {
        switch self {
        case .reply: 6
        // An address that was not tried, for want of a descriptor or memory, leaves the question open.
        case .fault(let fault) where fault.isShortage: 5
        case .failure(let failure):
            switch failure.reason {
            case .networkUnreachable, .noRoute, .linkDown: 1
            case .hostUnreachable, .ttlExceeded, .prohibited: 3
            default: 4
            }
        case .timeout: 2
        case .fault: 0
        }
    }
}

extension Fault {
    /// Whether the machine is out of something for the moment.
    var isShortage: Bool {
        switch problem {
        case .tooManyFiles, .noMemory: true
        default: false
        }
    }
}
