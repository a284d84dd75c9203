import Monitoring
import Screen

/// The connection: address, source address, reply, certificate, session, and dependencies.
struct ConnectionPart: DetailPart {
    let model: Model
    let state: TargetState

    let title = "Connection"
    private var appearance: Appearance { model.appearance }

    func lines(width: Int) -> [[Segment]] {
        let fields: [(String, [Segment]?)] = [
            ("address", address), ("source", state.target.source.map { [Segment($0, appearance[.text])] }),
            ("answer", answer),
            ("certificate", certificate), ("session", session), ("depends on", dependencies),
        ]
        return fields.compactMap { name, value in value.map { .field(name, $0, appearance: appearance) } }
    }

    private var address: [Segment]? {
        guard state.target.question.host != nil, state.target.question.method.probes else { return nil }
        guard let address = state.address else { return [Segment("not known yet", appearance[.faint])] }
        let family = address.contains(":") ? "IPv6" : "IPv4"
        let restriction = state.target.family == .any ? "" : ", the only family probed"
        return [Segment(address, appearance[.text]), Segment("  \(family)\(restriction)", appearance[.faint])]
    }

    /// What the last reply says; vantage points and sessions have their own parts.
    private var answer: [Segment]? {
        guard state.target.question.method.probes, state.session == nil else { return nil }
        return state.lastReply?.detail.map { [Segment($0, appearance[.text])] }
    }

    /// The remaining days are rounded down. On the last day, hours and minutes are shown.
    private var certificate: [Segment]? {
        guard let expiry = state.lastReply?.certificateExpiry else { return nil }
        let end = Duration.seconds(expiry) - model.wall.start
        let left = end - model.now
        let date = model.wall.timestamp(at: end).prefix(10)
        guard left > .zero else { return [Segment("expired on \(date)", appearance[.down])] }
        let days = left.components.seconds / 86_400
        let remaining = days > 0 ? "\(days) \(days == 1 ? "day" : "days") left" : "\(left.spanText) left"
        let isWarning = state.lastReply?.concern != nil
        return [
            Segment(remaining, appearance[isWarning ? .degraded : .up]), Segment("  until \(date)", appearance[.faint]),
        ]
    }

    private var session: [Segment]? {
        guard let session = state.session else { return nil }
        let text = session.shortSummary
        let age = state.sessionSince.map { "  for \((model.now - $0).spanText)" } ?? ""
        return [Segment(text, appearance[session.role]), Segment(age, appearance[.faint])]
    }

    private var dependencies: [Segment]? {
        let all = state.target.dependsOn
        guard !all.isEmpty else { return nil }
        let names = all.map { dependency in
            switch dependency {
            case .target(let name): name
            case .link: "\(Dependency.linkName), the uplink"
            }
        }
        let blocker = state.blockedBy.map { [Segment("  \($0.name) is down", appearance[.down])] } ?? []
        return [Segment(names.joined(separator: ", "), appearance[.text])] + blocker
    }
}

extension SessionState {
    /// The summary without the word "session".
    var shortSummary: String { summary.replacing("session ", with: "", maxReplacements: 1) }

    fileprivate var role: Role {
        switch self {
        case .ready: .up
        case .failed: .down
        case .waiting: .degraded
        case .setup, .preparing, .cancelled: .waiting
        }
    }
}
