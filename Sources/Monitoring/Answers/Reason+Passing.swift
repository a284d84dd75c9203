extension Reason {
    /// Whether the trouble may pass by itself, so that asking again makes sense: the way there, the look-up of the name, a
    /// connection that was refused or lost. A verdict on a certificate or an answer stays what it is.
    public var mayPass: Bool {
        switch self {
        case .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .noRoute, .linkDown:
            true
        case .prohibited, .tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .httpStatus,
            .httpBody, .answerMismatch, .protocolError, .exitStatus:
            false
        }
    }

    /// The HTTP statuses that may pass by themselves: request timeout, too many requests, no response (nginx), service
    /// unavailable, gateway timeout, and a proxy's own timeout (RFC 9110 §15, RFC 6585 §4; 444 and 599 are not registered).
    public static let passingStatuses: Set<Int> = [408, 429, 444, 503, 504, 599]
}
