import Monitoring

extension Question {
    /// Whether the round trip ends when the kernel takes the answer in, or has none: then an answer may wait to be read.
    var isTimedByKernel: Bool {
        switch self {
        case .icmp, .link, .route:
            return true
        case .tcp(_, _, let options):
            #if os(Linux)
                return options == TCPOptions()
            #else
                return false
            #endif
        case .dns:
            #if os(Linux)
                return true
            #else
                return false
            #endif
        case .session, .tls, .http, .udp, .exec:
            return false
        }
    }
}
