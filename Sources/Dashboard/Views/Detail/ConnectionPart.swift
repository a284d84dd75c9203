import Monitoring
import Screen

/// Who answers, and what the answer told: address, answer, certificate, session, and what the target depends on.
struct ConnectionPart: DetailPart {
    let model: Model
    let standing: Standing

    let title = "Connection"
    private var look: Look { model.look }

    func lines(width: Int) -> [[Segment]] {
        let fields: [(String, [Segment]?)] = [
            ("address", address), ("asked from", standing.target.source.map { [Segment($0, look[.text])] }),
            ("answer", standing.lastReply?.detail.map { [Segment($0, look[.text])] }),
            ("certificate", certificate), ("session", session), ("depends on", dependencies),
        ]
        return fields.compactMap { name, rest in rest.map { .field(name, $0, look: look) } }
    }

    private var address: [Segment]? {
        guard standing.target.question.host != nil else { return nil }
        guard let address = standing.address else { return [Segment("not known yet", look[.faint])] }
        let family = address.contains(":") ? "IPv6" : "IPv4"
        let wish = standing.target.family == .any ? "" : ", the only family asked"
        return [Segment(address, look[.text]), Segment("  \(family)\(wish)", look[.faint])]
    }

    /// Days are counted down whole: on the last one there are none left.
    private var certificate: [Segment]? {
        guard let expiry = standing.lastReply?.certificateExpiry else { return nil }
        let end = Duration.seconds(expiry) - model.wall.start
        let left = end - model.now
        let date = model.wall.timestamp(at: end).prefix(10)
        guard left > .zero else { return [Segment("expired on \(date)", look[.down])] }
        let days = left.components.seconds / 86_400
        let words = days > 0 ? "\(days) \(days == 1 ? "day" : "days") left" : "\(left.spanText) left"
        let isWarning = standing.lastReply?.concern != nil
        return [Segment(words, look[isWarning ? .degraded : .up]), Segment("  until \(date)", look[.faint])]
    }

    private var session: [Segment]? {
        guard let state = standing.session else { return nil }
        let words = state.summary.replacing("session ", with: "", maxReplacements: 1)
        let age = standing.sessionSince.map { "  for \((model.now - $0).spanText)" } ?? ""
        return [Segment(words, look[state.role]), Segment(age, look[.faint])]
    }

    private var dependencies: [Segment]? {
        let all = standing.target.dependsOn
        guard !all.isEmpty else { return nil }
        let names = all.map { dependency in
            switch dependency {
            case .target(let name): name
            case .link: "\(Dependency.linkWord), the way out"
            }
        }
        let blocker = standing.blockedBy.map { [Segment("  \($0.name) is down", look[.down])] } ?? []
        return [Segment(names.joined(separator: ", "), look[.text])] + blocker
    }
}

extension SessionState {
    fileprivate var role: Role {
        switch self {
        case .ready: .up
        case .failed: .down
        case .waiting: .degraded
        case .setup, .preparing, .cancelled: .waiting
        }
    }
}
