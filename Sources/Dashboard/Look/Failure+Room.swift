import Monitoring
import Screen

extension Failure {
    /// As much of the detail as fits a width: all of it, or the reason's name, or a word for it.
    func words(in columns: Int) -> String {
        let status = detail.split(separator: " ").prefix(2).joined(separator: " ")
        let name = reason == .httpStatus ? status : reason.rawValue.replacing("_", with: " ")
        return [detail, name].first { $0.displayWidth <= columns } ?? reason.word
    }
}

extension Reason {
    /// A word that the narrowest column has room for, and that no other reason has.
    fileprivate var word: String {
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
