extension VantageVerdict {
    /// The verdict without its health, ages and round trips, as the detail of an outcome: `from 2 of 3: fra, nyc; sin
    /// up`. Empty if all report the target up.
    package var summary: String {
        let text = ([mainClause(for: nil)].compactMap(\.self) + otherClauses(at: nil)).joined(separator: "; ")
        // As the rest of "degraded: …".
        return health == .degraded ? "seen \(text)" : text
    }

    /// The whole verdict as a sentence: `down from 2 of 3: fra, nyc for 3m; sin 12ms`.
    ///
    /// - Parameter since: when the health of the target began.
    package func sentence(at now: Duration, since: Duration) -> String {
        health.rawValue + (texts(at: now, since: since).first.map { separator + $0 } ?? "")
    }

    /// The text between the health and the rest of the sentence.
    package var separator: String {
        switch health {
        case .up: "; "
        case .degraded, .down: " "
        case .unknown: ": "
        }
    }

    /// The rest of the sentence after the health, the longest text first; empty if the health is the whole sentence. The
    /// last one is for the narrowest columns.
    package func texts(at now: Duration, since: Duration) -> [String] {
        // Without a verdict, the last report counts.
        let start = health == .unknown ? silent.map(\.time).max() ?? since : since
        let span = (now - start).spanText
        let others = otherClauses(at: now)
        guard let main = mainClause(for: span) else {
            guard !others.isEmpty else { return [] }
            return [others.joined(separator: "; "), others[0], otherClauses(at: nil)[0]] + briefDissent + [shortest]
        }
        let whole = ([main] + others).joined(separator: "; ")
        let shorter = [2, 0].compactMap { mainClause(for: span, names: $0) }
        return [whole, main] + shorter + [shortest]
    }

    /// Texts about the vantage points that see a reachable target down, without their reason; the longest first.
    private var briefDissent: [String] {
        guard !down.isEmpty else { return [] }
        return down.count == 1 ? ["\(Self.list(down)) disagrees", "1 disagrees"] : ["\(down.count) disagree"]
    }

    /// The counts alone: `2 of 3`.
    private var shortest: String {
        switch health {
        case .down: "\(down.count) of \(voters)"
        case .degraded: "\(down.count + degraded.count) of \(voters)"
        case .up: down.isEmpty ? "\(voters) of \(total)" : "\(voters - down.count) of \(voters)"
        case .unknown: "\(voters) of \(total)"
        }
    }

    /// Which vantage points see the target down or degraded, or why there is no verdict; nil for a target that is up.
    ///
    /// - Parameters:
    ///   - span: how long; nil leaves it out.
    ///   - limit: how many names.
    private func mainClause(for span: String?, names limit: Int = maxNames) -> String? {
        let age = span.map { " for \($0)" } ?? ""
        switch health {
        case .up:
            return nil
        case .unknown:
            return noVerdict + (voters == 0 && undecided.isEmpty ? age : "")
        case .down, .degraded:
            let points = health == .down ? down : (degraded + down).sorted { $0.name < $1.name }
            let reason = Self.commonDetail(of: points).map { ": \($0)" } ?? ""
            guard points.count < total || total == 1 else { return "everywhere\(age)\(reason)" }
            guard limit > 0 else { return "from \(points.count) of \(voters)\(age)" }
            let names = Self.list(points, limit: limit)
            return total == 1
                ? "from \(names)\(age)\(reason)" : "from \(points.count) of \(voters): \(names)\(age)\(reason)"
        }
    }

    /// Why there is no verdict.
    private var noVerdict: String {
        let points = total == 1 ? "vantage point" : "vantage points"
        if voters > 0, case .count(let count) = quorum {
            return "\(voters) of \(total) \(points) \(voters == 1 ? "reports" : "report"), \(count) needed"
        }
        if !undecided.isEmpty { return "no vantage point knows the health" }
        return total == 1 ? "\(Self.list(silent, limit: 1)) not reporting" : "none of \(total) \(points) reports"
    }

    /// The clauses about the other vantage points: those that disagree, see the target reachable, or do not report.
    private func otherClauses(at now: Duration?) -> [String] {
        var clauses: [String] = []
        switch health {
        case .up, .degraded:
            if !down.isEmpty { clauses.append(dissent(at: now)) }
            if health == .up, !degraded.isEmpty {
                let age = Self.age(since: degraded.map(\.since).max(), at: now)
                clauses.append("\(Self.list(degraded)) degraded\(age)")
            }
        case .down:
            let reachable = (degraded + up).sorted { $0.name < $1.name }
            if reachable.count > Self.maxRoundTrips {
                clauses.append("\(reachable.count) others reach it")
            } else if !reachable.isEmpty {
                let texts = reachable.map { point in
                    "\(point.name.shortLabel) \(now == nil ? "up" : point.roundTrip?.roundTripText ?? "up")"
                }
                clauses.append(texts.joined(separator: ", "))
            }
        case .unknown:
            break
        }
        guard voters > 0 else { return clauses }
        if !undecided.isEmpty { clauses.append("\(Self.list(undecided)) unknown") }
        if !silent.isEmpty {
            clauses.append("\(Self.list(silent)) not reporting\(Self.age(since: silent.map(\.time).max(), at: now))")
        }
        return clauses
    }

    /// The clause about vantage points that see a reachable target down: `sin disagrees: HTTP 503 for 40s`.
    private func dissent(at now: Duration?) -> String {
        let verb = down.count == 1 ? "disagrees" : "disagree"
        let reason = Self.commonDetail(of: down).map { ": \($0)" } ?? ""
        return "\(Self.list(down)) \(verb)\(reason)\(Self.age(since: down.map(\.since).max(), at: now))"
    }

    private static func age(since start: Duration?, at now: Duration?) -> String {
        guard let start, let now else { return "" }
        return " for \((now - start).spanText)"
    }

    /// The detail of all these vantage points; nil if it differs, or is not known.
    private static func commonDetail(of points: [VantagePoint]) -> String? {
        guard let detail = points.first?.detail, points.allSatisfy({ $0.detail == detail }) else { return nil }
        return detail
    }

    /// The names of vantage points; of many, the first ones and the number of the others.
    private static func list(_ points: [VantagePoint], limit: Int = maxNames) -> String {
        let names = points.prefix(limit).map(\.name.shortLabel).joined(separator: ", ")
        return points.count > limit ? "\(names) +\(points.count - limit)" : names
    }

    /// The most names in a list.
    private static let maxNames = 6
    /// The most vantage points whose round trips are listed.
    private static let maxRoundTrips = 3
}

extension String {
    /// A label as a word of a sentence, of limited length.
    fileprivate var shortLabel: String {
        count > 24 ? "\(prefix(23))…" : self
    }
}

extension Settings {
    /// The event when changed settings are refused.
    ///
    /// - Parameter problems: Their number, if it is part of the text.
    package static func refusal(withProblems problems: Int? = nil) -> String {
        let count = problems.map { " with \($0) \($0 == 1 ? "problem" : "problems")" } ?? ""
        return "settings refused\(count), the old ones keep running"
    }
}

extension FleetServer {
    /// The event when a server fails or answers again.
    package var summary: String { "\(name): \(problem ?? "answers again")" }
}
