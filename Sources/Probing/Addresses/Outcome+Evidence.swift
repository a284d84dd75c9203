import Monitoring

extension Outcome {
    /// The rank of an outcome by its information about a target with several addresses. Of several outcomes the highest
    /// is reported: what the host sent before what a router reported, before a timeout, before a missing route. A
    /// machine without IPv6 thus reports why the IPv4 address fails.
    var evidence: Int {
        switch self {
        case .reply: 6
        // An address that was not tried, for lack of a descriptor or memory, leaves the result open.
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
    /// Whether the machine temporarily lacks descriptors or memory.
    var isShortage: Bool {
        switch problem {
        case .tooManyFiles, .noMemory: true
        default: false
        }
    }
}
