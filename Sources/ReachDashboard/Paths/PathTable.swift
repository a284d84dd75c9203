import ReachMonitoring
import ReachScreen

/// The hops of a path as rows: their figures and words, and lines for what else answers.
struct PathTable {
    /// A row of the table.
    struct Row {
        /// The number of the hop; nil for a line about the hop above.
        var number: Int?
        var address = ""
        var name = ""
        /// The figures: loss, last, mean, best, worst, jitter.
        var figures: [String] = []
        var word = Segment("", .plain)
        /// The results of the hop.
        var results = PathHistory?.none
        /// Whether losses are a fault of the path.
        var isFault = false
    }

    /// The headings of the figures after the loss, in their order.
    static let headings = ["LOSS", "LAST", "MEAN", "BEST", "WORST", "JITTER"]

    private(set) var rows: [Row] = []

    /// Creates the rows of a path; none if it is not known.
    init(_ snapshot: PathSnapshot?, in context: ViewContext) {
        guard let snapshot else { return }
        if let traced = snapshot.traced {
            rows = Self.rows(of: traced, snapshot, context.appearance)
            return
        }
        let (trace, appearance, time) = (snapshot.trace, context.appearance, snapshot.time)
        let (hops, words, end) = (trace.hops(), trace.words(at: time), trace.end())
        let none = String(appearance.glyphs.none)
        for (index, hop) in hops.enumerated() {
            let word = words[index]
            let isMeasured = hop.absence == nil
            let times = [hop.last, hop.mean, hop.best, hop.worst, hop.jitter]
                .map { isMeasured ? $0?.roundTripText ?? none : none }
            let isBeyondEnd = !end.isReached && end != .notSent && index >= end.hop ?? 0
            let text = hop.absence ?? word.text { context.wall.timeOfDay(at: $0) }
            rows.append(
                Row(
                    number: index + 1,
                    address: hop.address ?? "*",
                    name: hop.address.map { Self.name(of: $0, in: snapshot) } ?? "",
                    figures: [isMeasured ? hop.loss?.percentText ?? none : none] + times,
                    word: Segment(text, appearance[isMeasured ? word.role : .faint]),
                    results: hop.history,
                    isFault: word.isFault || isBeyondEnd || trace.destinationHop() == index + 1
                )
            )
            for other in trace.otherAddresses(ofHop: index) {
                rows.append(
                    Row(
                        address: other.address,
                        name: Self.name(of: other.address, in: snapshot),
                        word: Segment(other.remark, appearance[.faint])
                    )
                )
            }
            if let remark = hop.remark { rows.append(Row(name: remark)) }
        }
    }

    /// The rows of a path as a trace found it. Figures and most words are not known.
    private static func rows(of traced: TracedPath, _ snapshot: PathSnapshot, _ appearance: Appearance) -> [Row] {
        let none = String(appearance.glyphs.none)
        return traced.hops.enumerated().map { index, address in
            Row(
                number: index + 1,
                address: address ?? "*",
                name: address.map { name(of: $0, in: snapshot) } ?? "",
                figures: headings.map { _ in none },
                word: Segment(address == nil ? "silent" : "", appearance[.faint])
            )
        }
    }

    /// The name of a router, and its autonomous system: `core2.isp.example  AS64500`.
    private static func name(of address: String, in snapshot: PathSnapshot) -> String {
        let system = snapshot.systems[address].map { "AS\($0.number)" }
        return [snapshot.names[address], system].compactMap(\.self).joined(separator: "  ")
    }
}

extension HopWord {
    /// The role of the word. Only a fault of the path is red.
    var role: Role {
        switch self {
        case .loses, .loop: .down
        case .slow, .changed, .answersForAnotherAddress, .limitsAnswers: .degraded
        case .ok, .silent: .faint
        }
    }
}

extension PathHop {
    /// The MPLS labels and the MTU behind the router; nil without both.
    fileprivate var remark: String? {
        let labels = labels.isEmpty ? nil : "MPLS " + labels.map { "\($0.label)" }.joined(separator: "/")
        let parts = [labels, mtu.map { "MTU \($0)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension PathTrace {
    /// The other addresses of a hop: those of other flows, with their flows and loss, and those that answered in turn.
    fileprivate func otherAddresses(ofHop index: Int) -> [(address: String, remark: String)] {
        var others: [(address: String, remark: String)] = []
        var flows: [String: [Int]] = [:]
        let current = hops()[index].address
        for flow in 1..<max(1, flowCount) {
            guard let address = hops(flow: flow).dropFirst(index).first?.address, address != current else { continue }
            flows[address, default: []].append(flow)
        }
        for (address, numbers) in flows.sorted(by: { $0.value[0] < $1.value[0] }) {
            let members = numbers.compactMap { hops(flow: $0).dropFirst(index).first }
            let (answered, lost) = members.reduce((0, 0)) { ($0.0 + $1.answered, $0.1 + $1.lost) }
            let loss = answered + lost == 0 ? "" : ", loss \((Double(lost) / Double(answered + lost)).percentText)"
            let list = numbers.map(String.init).joined(separator: ", ")
            others.append((address, "\(numbers.count == 1 ? "flow" : "flows") \(list)\(loss)"))
        }
        for other in hops()[index].addresses where other.address != current && flows[other.address] == nil {
            others.append((other.address, other.count == 1 ? "1 answer" : "\(other.count) answers"))
        }
        return others
    }
}
