import ReachMonitoring
import ReachScreen

/// The connection: address, source address, path, reply, certificate, session, and dependencies.
struct ConnectionPart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Connection"
    private var appearance: Appearance { context.appearance }

    func lines(width: Int) -> [[Segment]] {
        let fields: [(String, [Segment]?)] = [
            ("address", address), ("source", state.target.source.map { [Segment($0, appearance[.text])] }),
        ]
        let others: [(String, [Segment]?)] = [
            ("answer", answer), ("certificate", certificate), ("session", session), ("depends on", dependencies),
        ]
        return lines(of: fields) + pathLines(width: width) + causeLines(width: width) + lines(of: others)
    }

    private func lines(of fields: [(name: String, value: [Segment]?)]) -> [[Segment]] {
        fields.compactMap { name, value in value.map { .field(name, $0, appearance: appearance) } }
    }

    private var address: [Segment]? {
        guard state.target.question.host != nil, state.target.question.method.probes else { return nil }
        guard let address = state.address else { return [Segment("not known yet", appearance[.faint])] }
        let family = address.contains(":") ? "IPv6" : "IPv4"
        let restriction = state.target.family == .any ? "" : ", the only family probed"
        return [Segment(address, appearance[.text]), Segment("  \(family)\(restriction)", appearance[.faint])]
    }

    /// Where the path ends, and in an outage the hops before it; none for a target without a path.
    private func pathLines(width: Int) -> [[Segment]] {
        guard state.hasPath else { return [] }
        let outage = state.outagePath
        guard let path = outage ?? state.tracedPath else {
            return [pathLine("not known yet", .faint, width: width)]
        }
        // What was traced before the outage does not say where it ends.
        let text =
            state.health == .down && outage == nil ? "before the outage: \(path.lengthAndEnd)" : path.lengthAndEnd
        let first = pathLine(text, outage?.end.isFault == true ? .down : .text, width: width)
        guard outage != nil, !path.before.isEmpty, path.before != path.hops else { return [first] }
        let indent: [Segment] = .field("", [], appearance: appearance)
        let before = "before: \(path.listBefore)"
            .wrapped(
                toColumns: max(8, width - indent.displayWidth),
                lines: Self.linesBefore,
                ellipsis: appearance.glyphs.ellipsis
            )
        return [first] + before.map { indent + [Segment($0, appearance[.faint])] }
    }

    /// The common cause of the outage with the evidence; none without one.
    private func causeLines(width: Int) -> [[Segment]] {
        guard let cause = state.commonCause.flatMap({ context.roster.commonCause($0) }) else { return [] }
        let indent: [Segment] = .field("", [], appearance: appearance)
        let lines = cause.sentence { String(context.wall.timeOfDay(at: $0).prefix(5)) }
            .wrapped(
                toColumns: max(8, width - indent.displayWidth),
                lines: Self.linesBefore,
                ellipsis: appearance.glyphs.ellipsis
            )
        return lines.enumerated().map { index, text in
            .field(index == 0 ? "cause" : "", [Segment(text, appearance[.down])], appearance: appearance)
        }
    }

    /// The field of the path, with its key if that fits.
    private func pathLine(_ text: String, _ role: Role, width: Int) -> [Segment] {
        let line: [Segment] = .field("path", [Segment(text, appearance[role])], appearance: appearance)
        let hint = Segment("  p shows it", appearance[.faint])
        return (line + [hint]).displayWidth <= width ? line + [hint] : line
    }

    /// The most lines of the hops before an outage, and of its cause.
    private static let linesBefore = 3

    /// What the last reply says; vantage points and sessions have their own parts.
    private var answer: [Segment]? {
        guard state.target.question.method.probes, state.session == nil else { return nil }
        return state.lastReply?.detail.map { [Segment($0, appearance[.text])] }
    }

    /// The remaining days are rounded down. On the last day, hours and minutes are shown.
    private var certificate: [Segment]? {
        guard let expiry = state.lastReply?.certificateExpiry else { return nil }
        let end = Duration.seconds(expiry) - context.wall.start
        let left = end - context.now
        let date = context.wall.timestamp(at: end).prefix(10)
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
        let age = state.sessionSince.map { "  for \((context.now - $0).spanText)" } ?? ""
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
