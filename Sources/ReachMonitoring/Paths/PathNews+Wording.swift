extension TracedPath {
    /// Where the path ends as part of a sentence about an outage: "ends after 10.1.0.1, hop 2 of 5".
    package var outageText: String { end.isReached ? "the path \(end.summary)" : end.summary }

    /// How many hops the path has and where it ends: "4 hops, reaches the target".
    package var lengthAndEnd: String {
        guard end.isReached else { return end.summary }
        return "\(hops.count) \(hops.count == 1 ? "hop" : "hops"), \(end.summary)"
    }

    /// The same after the detail of a failure, which may have the router's report.
    func outageText(after failure: Failure?) -> String {
        if case .unreachable(_, let hop, let address) = end, address == failure?.reporter { return "hop \(hop)" }
        return outageText
    }

    /// The hops as a list for tools: addresses, and `*` for a hop that does not answer.
    static func list(_ hops: [String?]) -> String {
        hops.map { $0 ?? "*" }.joined(separator: " ")
    }

    /// The hops as a list for tools: addresses, and `*` for a hop that does not answer.
    package var hopList: String { Self.list(hops) }
    /// The hops before, likewise.
    package var listBefore: String { Self.list(before) }
}

extension PathNews {
    /// The news as the rest of a sentence that begins with the target's name.
    package var summary: String {
        switch self {
        case .ended(let path):
            if case .silent = path.end { "path \(path.outageText)" } else { path.outageText }
        case .changed(let change): "path changed: \(change.after) is hop \(change.hop)"
        }
    }

    /// What was before: "was 10.1.0.1", or the path before.
    package var note: String? {
        switch self {
        case .ended(let path):
            path.before.isEmpty || path.end.isReached ? nil : "before: \(path.listBefore)"
        case .changed(let change): "was \(change.before)"
        }
    }

    /// Where the path ends, or that it changed, as a stable name.
    package var name: String {
        switch self {
        case .ended(let path): path.end.kind
        case .changed: Self.changedName
        }
    }

    /// Whether another router answers at a hop.
    package var isChange: Bool {
        if case .changed = self { true } else { false }
    }

    /// The ``name`` of a change.
    package static let changedName = "changed"
}

extension PathNews {
    /// The news with the routers, as the history stores them.
    var storedText: String {
        switch self {
        case .ended(let path):
            let before = path.before.isEmpty ? "" : "; before: \(path.listBefore)"
            return "\(summary); hops: \(path.hopList)\(before)"
        case .changed: return "\(summary), \(note ?? "")"
        }
    }
}
