import ReachMonitoring
import ReachReporting
import ReachScreen
import ReachTerminal

/// The path to a target as a table, for people and for tools that process lines.
struct PathLines {
    /// A line, whose end may have a style.
    private struct Line {
        var text = ""
        var end = ""
        var style = Style.plain
        /// The cells of a row of the table, in place of a text; its word is the end.
        var cells: [String]?
    }

    /// The target, the table, its header first, and where the path ends.
    private var lines: [Line]
    /// Whether the table has a column for names.
    private let hasNames: Bool

    /// Creates the lines of a path.
    ///
    /// - Parameters:
    ///   - hasNames: Whether there is a column for names.
    init(_ path: PathReport, hasNames: Bool) {
        self.hasNames = hasNames
        guard let trace = path.trace else {
            lines = [Line(text: "\(path.target): ", end: path.problem ?? "looking up", style: Self.fault)]
            return
        }
        let destination = trace.destination
        let port = destination.port == 0 ? "" : " to port \(destination.port)"
        let address = path.target == destination.address ? "" : " (\(destination.address))"
        lines = [Line(text: "\(path.target)\(address) by \(destination.method.rawValue)\(port)")]
        if !trace.hops().isEmpty { lines += Self.table(path, trace, hasNames: hasNames) }
        lines += PathSection.sections(of: path).map { Line(text: $0.text) }
        if let text = trace.mtu.text { lines.append(Line(text: text)) }
        lines += Self.flowLines(trace, at: path.time)
        let end = trace.end()
        let isMeasuring = trace.isMeasuring()
        let style = isMeasuring ? .plain : end.isReached ? Style(.green) : end.isFault ? Self.fault : .plain
        let text = isMeasuring ? "waiting for answers" : end.sentence
        lines.append(Line(text: "", end: path.problem ?? text, style: style))
    }

    private static let fault = Style(.red, .bold)

    /// Returns the lines for a terminal or another output.
    ///
    /// - Parameters:
    ///   - color: The colour support; nil for no colours.
    ///   - columns: The maximum width; nil for any.
    func rendered(color: ColorSupport?, columns: Int? = nil, ellipsis: Character = "…") -> [String] {
        let layout = PathColumns(
            lines.compactMap(\.cells),
            wordWidth: lines.lazy.filter { $0.cells != nil }.map { $0.end.printable.displayWidth }.max() ?? 0,
            hasNames: hasNames,
            columns: columns
        )
        return lines.map { line in
            var (text, end) = (
                line.cells.map { layout.text(of: $0, ellipsis: ellipsis) } ?? line.text, line.end.printable
            )
            text = text.printable
            if line.cells != nil, !end.isEmpty { text += "  " }
            if let columns {
                text = text.truncated(toColumns: columns, ellipsis: ellipsis)
                end = end.truncated(toColumns: max(0, columns - text.displayWidth), ellipsis: ellipsis)
            }
            return text + (color.map { end.isEmpty ? "" : end.styled(line.style, $0) } ?? end)
        }
    }

    private static func table(
        _ path: PathReport,
        _ trace: PathTrace,
        hasNames: Bool
    ) -> [Line] {
        let names = hasNames ? ["NAME"] : []
        let headings = ["HOP", "ADDRESS"] + names + ["LOSS", "SENT", "LAST", "MEAN", "BEST", "WORST", "JITTER"]
        var rows = [Line(cells: headings)]
        let words = trace.words(at: path.time)
        for (index, hop) in trace.hops().enumerated() {
            let times = [hop.last, hop.mean, hop.best, hop.worst, hop.jitter].map { $0?.roundTripText ?? "-" }
            let name = hasNames ? [hop.address.flatMap(path.name) ?? ""] : []
            let cells =
                ["\(index + 1)", hop.address ?? "*"] + name + [hop.loss?.percentText ?? "-", "\(hop.sent)"] + times
            rows.append(
                Line(end: remark(words[index], hop, path), style: style(of: words[index]), cells: cells)
            )
            for other in otherAddresses(of: index, in: trace) {
                let name = hasNames ? [path.name(other.address) ?? ""] : []
                let cells = ["", other.address] + name + Array(repeating: "", count: 7)
                rows.append(Line(end: other.remark, cells: cells))
            }
        }
        return rows
    }

    /// The flows that lose packets, and those that end elsewhere than the first one.
    private static func flowLines(_ trace: PathTrace, at time: Duration) -> [Line] {
        guard trace.flowCount > 1 else { return [] }
        let first = trace.end()
        return (0..<trace.flowCount).compactMap { flow in
            let end = trace.end(flow: flow)
            if end != .notSent, end.isReached != first.isReached {
                return Line(text: "flow \(flow): ", end: end.sentence, style: end.isFault ? fault : .plain)
            }
            let words = trace.words(at: time, flow: flow)
            guard end.isReached, case .loses(let percent) = words.last else { return nil }
            let hop = (words.firstIndex(where: \.isFault) ?? words.count - 1) + 1
            let address = trace.hops(flow: flow)[hop - 1].address ?? "*"
            return Line(text: "flow \(flow) ", end: "loses \(percent) %, from hop \(hop) (\(address)) on", style: fault)
        }
    }

    private static func remark(_ word: HopWord, _ hop: PathHop, _ path: PathReport) -> String {
        let labels = hop.labels.isEmpty ? nil : "MPLS " + hop.labels.map { "\($0.label)" }.joined(separator: "/")
        let mtu = hop.mtu.map { "MTU \($0)" }
        let text = hop.absence ?? word.text(clock: path.clock)
        return ([text] + [labels, mtu].compactMap(\.self)).joined(separator: ", ")
    }

    /// The other addresses of a hop: those of other flows, with their flows and loss, and those that answered in turn.
    private static func otherAddresses(of index: Int, in trace: PathTrace) -> [(address: String, remark: String)] {
        var others: [(address: String, remark: String)] = []
        var flows: [String: [Int]] = [:]
        let current = trace.hops()[index].address
        for flow in 1..<max(1, trace.flowCount) {
            guard let hop = trace.hops(flow: flow).dropFirst(index).first, let address = hop.address, address != current
            else { continue }
            flows[address, default: []].append(flow)
        }
        for (address, numbers) in flows.sorted(by: { $0.value[0] < $1.value[0] }) {
            let hops = numbers.compactMap { trace.hops(flow: $0).dropFirst(index).first }
            let finished = hops.reduce(0) { $0 + $1.answered + $1.lost }
            let lost = hops.reduce(0) { $0 + $1.lost }
            let loss = finished == 0 ? "" : ", loss \((Double(lost) / Double(finished)).percentText)"
            let list = numbers.map(String.init).joined(separator: ", ")
            others.append((address, "\(numbers.count == 1 ? "flow" : "flows") \(list)\(loss)"))
        }
        for other in trace.hops()[index].addresses.dropFirst() where flows[other.address] == nil {
            others.append((other.address, other.count == 1 ? "1 answer" : "\(other.count) answers"))
        }
        return others
    }

    private static func style(of word: HopWord) -> Style {
        switch word {
        case .loses, .loop: fault
        case .slow, .changed, .answersForAnotherAddress: Style(.yellow)
        case .ok, .limitsAnswers, .silent: .plain
        }
    }
}
