import Monitoring
import Screen

extension Failure {
    /// Returns the first text that fits: the whole detail, the reason's name, or its short text; else the shortest.
    func text(fitting columns: Int) -> String {
        guard reason == .httpStatus else {
            return [detail, reason.rawValue.replacing("_", with: " "), reason.shortText].first(fitting: columns)
        }
        let status = detail.split(separator: " ").prefix(2)
        return [detail, status.joined(separator: " "), String(status.last ?? "")].first(fitting: columns)
    }
}

extension Fault {
    /// Returns the first text that fits: the whole detail, or the name of the problem; else the shortest.
    func text(fitting columns: Int) -> String {
        [detail, problem.rawValue.replacing("_", with: " "), problem.shortText].first(fitting: columns)
    }
}

extension [String] {
    /// Returns the first text that fits, or else the shortest.
    fileprivate func first(fitting columns: Int) -> String {
        first { $0.displayWidth <= columns } ?? self.min { $0.displayWidth < $1.displayWidth } ?? ""
    }
}

extension Fault.Problem {
    /// A text for the narrowest column, different for each problem.
    fileprivate var shortText: String {
        switch self {
        case .permission: "denied"
        case .tooManyFiles: "files"
        case .noMemory: "memory"
        case .noSource: "source"
        case .noAuthorities: "no CA"
        case .noCertificate: "no cert"
        case .notReporting: "silent"
        case .internal: "error"
        }
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
        case .certificateUntrusted: "bad cert"
        case .certificateName: "misnamed"
        case .httpStatus: "status"
        case .httpBody: "bad body"
        case .answerMismatch: "mismatch"
        case .protocolError: "garbled"
        case .serverError: "error"
        case .loginFailed: "no login"
        case .noRoute: "no route"
        case .linkDown: "no link"
        case .exitStatus: "failed"
        case .quorum: "quorum"
        }
    }
}
