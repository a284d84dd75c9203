import Monitoring
import Screen

extension Failure {
    /// Returns the longest text that fits: the whole detail, the reason's name, or its short text.
    func text(fitting columns: Int) -> String {
        let status = detail.split(separator: " ").prefix(2).joined(separator: " ")
        let name = reason == .httpStatus ? status : reason.rawValue.replacing("_", with: " ")
        return [detail, name].first { $0.displayWidth <= columns } ?? reason.shortText
    }
}

extension Reason {
    /// A text for the narrowest column, different for each reason.
    fileprivate var shortText: String {
        switch self {
        case .refused: "refused"
        case .reset: "reset"
        case .closed: "closed"
        case .hostUnreachable: "no host"
        case .networkUnreachable: "no net"
        case .prohibited: "filtered"
        case .ttlExceeded: "too far"
        case .nameNotFound: "no name"
        case .resolverFailed: "resolver"
        case .tlsFailed: "bad TLS"
        case .certificateExpired: "expired"
        case .certificateUntrusted: "no trust"
        case .certificateName: "misnamed"
        case .httpStatus: "bad code"
        case .httpBody: "bad body"
        case .answerMismatch: "mismatch"
        case .protocolError: "garbled"
        case .noRoute: "no route"
        case .linkDown: "no link"
        case .exitStatus: "failed"
        }
    }
}
