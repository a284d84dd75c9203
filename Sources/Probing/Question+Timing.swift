import Monitoring

extension Question {
    /// Whether the kernel stamps the arrival of the reply, or there is no round trip. Such a reply need not be read at
    /// once.
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
        case .dns(let question) where question.transport == .udp:
            #if os(Linux)
            return true
            #else
            return false
            #endif
        case .session, .tls, .http, .dns, .udp, .database, .exec, .fleet:
            return false
        }
    }
}
