import ReachMonitoring
import ReachScreen

extension Failure {
    /// Returns the first text that fits: the whole detail, the reason's name, or its short text; else the shortest.
    func text(fitting columns: Int) -> String {
        guard reason == .httpStatus else {
            // The name of this one is no sentence after "down".
            let name = reason == .certificateName ? "wrong name" : reason.rawValue.replacing("_", with: " ")
            return [detail, name, reason.shortText].first(fitting: columns)
        }
        let status = detail.split(separator: " ").prefix(2)
        return [detail, status.joined(separator: " "), String(status.last ?? "")].first(fitting: columns)
    }
}

extension TargetState {
    /// The first text that fits: the warning of the last reply, or a part of it, so that its number stays.
    func concern(fitting columns: Int) -> String? {
        lastReply?.concern.map { concern in
            let subject = "certificate "
            guard concern.hasPrefix(subject) else { return concern }
            let rest = String(concern.dropFirst(subject.count))
            let start = "expires in "
            guard rest.hasPrefix(start) else { return [concern, rest, "expired"].first(fitting: columns) }
            let span = String(rest.dropFirst(start.count))
            return [concern, rest, "\(span) left", span].first(fitting: columns)
        }
    }

    /// The first text for a timeout that fits: with the time after which replies come, if they come late.
    func timeoutText(fitting columns: Int) -> String {
        guard let roundTrip = lateRoundTrip else { return "timeout" }
        let short = "answers after \(roundTrip.roundTripText)"
        return [Transition.lateDetail(of: roundTrip), "timeout, \(short)", short, "timeout"].first(fitting: columns)
    }

    /// The share of lost probes for which the target is degraded, in so many columns if possible; nil without one.
    func excessLoss(fitting columns: Int) -> String? {
        excessLoss.map { ["\($0.percentText) loss", "loss"].first(fitting: columns) }
    }

    /// The detail of the last reply in so many columns, if possible. The validity of a certificate would look like the age of
    /// the health. A session lasts between its probes, so its age is counted until now.
    func detail(fitting columns: Int, at now: Duration) -> String? {
        if let session {
            guard session == .ready, let sessionSince else { return session.shortSummary }
            return "\(session.shortSummary) \(max(.zero, now - sessionSince).spanText)"
        }
        return lastReply?.detail.map { detail in
            guard target.question.method == .tls else { return detail }
            return ["certificate \(detail)", "cert \(detail)"].first(fitting: columns)
        }
    }
}

extension Fault {
    /// Returns the first text that fits: the whole detail, or the name of the problem; else the shortest. The name of an
    /// internal problem says nothing; the beginning of the detail does: `broadcast address`.
    func text(fitting columns: Int) -> String {
        let beginning = detail.firstRange(of: ": ").map { String(detail[..<$0.lowerBound]) }
        let name = (problem == .internal ? beginning : nil) ?? problem.rawValue.replacing("_", with: " ")
        return [detail, name, problem.shortText].first(fitting: columns)
    }
}

extension [String] {
    /// Returns the first text that fits, or else the shortest.
    func first(fitting columns: Int) -> String {
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
        case .localFilter: "filter"
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

extension Question {
    /// The host and the port, without the path; nil for a command, and for one of the fleet, whose instance may be any text.
    var hostAndPort: Substring? {
        switch self {
        case .exec, .fleet: nil
        default: authority.prefix { $0 != "/" }
        }
    }

    /// Returns the part after the scheme, shortened to a width: first the path, then the host, so that the port stays
    /// visible: `very-long-ho…:8443`.
    func authority(fitting columns: Int, ellipsis: Character) -> String {
        let authority = authority
        let cut = authority.truncated(toColumns: columns, ellipsis: ellipsis)
        guard cut != authority, let head = hostAndPort.map(String.init) else { return cut }
        // A path of which nothing fits is omitted. An ellipsis in its place would look like a truncated port.
        if head.displayWidth <= columns { return head.displayWidth + 2 <= columns ? cut : head }
        guard let port = port.map({ ":\($0)" }), head.hasSuffix(port) else { return cut }
        let available = columns - port.displayWidth
        // Two characters of the host, and the ellipsis.
        guard available >= 3 else { return cut }
        return "\(head.dropLast(port.count)) ".truncated(toColumns: available, ellipsis: ellipsis) + port
    }
}
