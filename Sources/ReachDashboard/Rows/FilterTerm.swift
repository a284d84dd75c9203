import ReachMonitoring

/// A word of a filter: a condition, or its opposite.
struct FilterTerm: Sendable, Hashable {
    /// A state, after `is:`.
    enum State: String, Sendable, Hashable, CaseIterable {
        case up, down, degraded
        /// Degraded since its replies are slow, and for no other cause.
        case slow
        case blocked, paused, flapping, unknown
        /// A target whose failure the user has acknowledged.
        case acknowledged
        /// A target that some vantage points see down and others see reachable.
        case disputed
        /// A target with planned work.
        case maintenance
        /// A target that cannot be probed.
        case fault
        /// A target whose outage has a common cause.
        case explained
        /// A change of health is about to follow.
        case pending
    }

    /// A figure of the table, compared by `<` or `>`.
    enum Figure: String, Sendable, Hashable, CaseIterable {
        case last, p95, loss, jitter
    }

    /// A key before a colon.
    private enum Key: String, CaseIterable {
        case `is`, group, method, tag, cause
    }

    private enum Condition: Sendable, Hashable {
        case text(String)
        case states([State])
        case methods([Method])
        case group(String, isWhole: Bool)
        case tag(String, isWhole: Bool)
        /// The outage has the common cause of this number.
        case cause(Int)
        /// The figure is above or below a limit, in seconds or as a share; a sign with `=` includes the limit.
        case figure(Figure, isAbove: Bool, includesLimit: Bool, limit: Double)
    }

    private let condition: Condition
    private let isNegated: Bool

    /// Parses a word in lower case.
    init(_ word: Substring) throws(FilterProblem) {
        isNegated = word.hasPrefix("!")
        let word = isNegated ? word.dropFirst() : word
        if isNegated { try Self.checkNegated(word) }
        let value = word.drop { $0 != ":" }.dropFirst()
        let key = word.prefix { $0 != ":" }
        if word.hasPrefix("\"") {
            condition = .text(Self.unquoted(word).text)
        } else if let sign = word.firstIndex(where: { $0 == "<" || $0 == ">" }) {
            condition = try Self.comparison(in: word, at: sign)
        } else if key.endIndex < word.endIndex, let key = Key(rawValue: String(key)) {
            switch key {
            case .is: condition = .states(try Self.choices(value, of: "state", such: "down, slow or paused"))
            case .method: condition = .methods(try Self.choices(value, of: "method", such: "icmp, tcp or https"))
            case .group:
                let (name, isWhole) = Self.unquoted(value)
                condition = .group(name, isWhole: isWhole)
            case .tag:
                let (name, isWhole) = Self.unquoted(value)
                condition = .tag(name, isWhole: isWhole)
            case .cause:
                guard let number = Int(value) else {
                    throw FilterProblem(
                        text: "invalid number of a common cause \"\(value)\" – such as cause:1",
                        isUnfinished: value.isEmpty
                    )
                }
                condition = .cause(number)
            }
        } else {
            try Self.checkKey(key, value)
            condition = .text(String(word))
        }
    }

    /// Reports a negated word that has only begun: it would hide all targets.
    private static func checkNegated(_ word: Substring) throws(FilterProblem) {
        let keys = Key.allCases.map { "\($0.rawValue):" }
        guard word.isEmpty || word == "\"" || keys.contains(where: { word == $0 || word == "\($0)\"" }) else { return }
        throw FilterProblem(text: "missing word after !\(word) – such as !is:down", isUnfinished: true)
    }

    /// Reports an unknown word before a colon. Methods, hosts before a port, and parts of URLs and IPv6 addresses are text.
    private static func checkKey(_ key: Substring, _ value: Substring) throws(FilterProblem) {
        let isText = Method(rawValue: String(key)) != nil || (key + value).allSatisfy { $0.isHexDigit || $0 == ":" }
        let isKey = !key.isEmpty && key.allSatisfy { ("a"..."z").contains($0) }
        guard isKey, !isText, let first = value.first else { return }
        let names = Key.allCases.map(\.rawValue)
        let near = String(key).nearest(of: names)
        guard first.isLetter || first == "\"" || (key.count > 3 && near != nil) else { return }
        let hint =
            near.map { "did you mean \($0):\(value)?" }
            ?? "one of \(names.joined(separator: ", ")), or quotes"
        throw FilterProblem(text: "unknown key \"\(key)\" – \(hint)")
    }

    /// Returns a value without its quotes, and whether it had both.
    private static func unquoted(_ value: Substring) -> (text: String, isWhole: Bool) {
        guard value.hasPrefix("\"") else { return (String(value), false) }
        let isWhole = value.count > 1 && value.hasSuffix("\"")
        let inner = isWhole ? value.dropFirst().dropLast() : value.dropFirst()
        return (String(inner).replacing("\"\"", with: "\""), isWhole)
    }

    /// Returns the cases whose names begin with a value.
    private static func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: Substring,
        of kind: String,
        such examples: String
    ) throws(FilterProblem) -> [Choice] {
        let value = String(value)
        let exact = Choice(rawValue: value).map { [$0] }
        let choices = exact ?? Choice.allCases.filter { $0.rawValue.hasPrefix(value) }
        guard choices.isEmpty else { return choices }
        let near = value.nearest(of: Choice.allCases.map(\.rawValue))
        let hint = near.map { "did you mean \($0)?" } ?? "such as \(examples)"
        throw FilterProblem(text: "unknown \(kind) \"\(value)\" – \(hint)")
    }

    /// Parses a comparison with a figure.
    ///
    /// - Parameter sign: the position of the sign.
    private static func comparison(in word: Substring, at sign: String.Index) throws(FilterProblem) -> Condition {
        guard !word.contains(" ") else {
            let joined = word.filter { $0 != " " }[...]
            if let sign = joined.firstIndex(of: word[sign]) {
                // Another problem of the word is reported first.
                do { _ = try comparison(in: joined, at: sign) } catch { if !error.isUnfinished { throw error } }
            }
            throw FilterProblem(text: "blank beside \(word[sign]) – did you mean \(joined)?")
        }
        let isAbove = word[sign] == ">"
        let includesLimit = word[sign...].dropFirst().hasPrefix("=")
        let (name, value) = (word[..<sign], word[sign...].dropFirst(includesLimit ? 2 : 1))
        guard let figure = Figure(rawValue: String(name)) else {
            let names = Figure.allCases.map(\.rawValue)
            let near = String(name).nearest(of: names).map { "did you mean \($0)?" }
            let hint = near ?? "one of \(names.joined(separator: ", "))"
            throw FilterProblem(text: "unknown figure \"\(name)\" – \(hint)")
        }
        let number = value.hasSuffix("%") ? value.dropLast() : value
        let isNumber = number.allSatisfy { ("0"..."9").contains($0) || $0 == "." }
        if figure == .loss {
            if isNumber, let percent = Double(number) {
                // A share, such as that of the setting `lossy`.
                guard value.hasSuffix("%") || percent == 0 || percent >= 1 else {
                    let share = (percent * 10_000).rounded() / 100
                    let text = share == share.rounded() ? String(Int(share)) : String(share)
                    throw FilterProblem(text: "\(value) has no unit – \(text)% or \(value)%?")
                }
                return .figure(figure, isAbove: isAbove, includesLimit: includesLimit, limit: percent / 100)
            }
            throw FilterProblem(text: "invalid percentage \"\(value)\" – such as 5%", isUnfinished: value.isEmpty)
        }
        if let limit = Duration(text: String(value)) {
            return .figure(figure, isAbove: isAbove, includesLimit: includesLimit, limit: limit.inSeconds)
        }
        if isNumber, value == number {
            guard !value.isEmpty else {
                throw FilterProblem(text: "missing duration – such as 100ms", isUnfinished: true)
            }
            throw FilterProblem(text: "\(value) has no unit – \(value)ms or \(value)s?")
        }
        let hint = String(value).nearestDuration.map { "did you mean \($0)?" } ?? "such as 100ms, 2s"
        throw FilterProblem(text: "invalid duration \"\(value)\" – \(hint)")
    }
}

extension FilterTerm {
    /// Whether the term matches names, URLs and groups.
    var matchesText: Bool { if case .text = condition { true } else { false } }

    /// Whether the term matches states, which change at any time.
    var matchesState: Bool {
        switch condition {
        case .states, .cause: true
        case .text, .methods, .group, .tag, .figure: false
        }
    }

    /// The figure that the term compares.
    var figure: Figure? { if case .figure(let figure, _, _, _) = condition { figure } else { nil } }

    func matches(_ position: Int, of states: TargetStates, _ texts: TargetTexts, _ figures: FigureValues) -> Bool {
        let isMatch =
            switch condition {
            case .text(let word): texts.searchTexts[position].hasSubstring(word)
            case .states(let wanted): wanted.contains { $0.matches(states[position]) }
            case .methods(let methods): methods.contains(states[position].target.question.method)
            case .group(let name, let isWhole): Self.matches(name, isWhole, states[position].target.group ?? "")
            case .tag(let name, let isWhole):
                states[position].target.tags.contains { Self.matches(name, isWhole, $0) }
            case .cause(let number): states[position].commonCause?.rawValue == number
            case .figure(let figure, let isAbove, let includesLimit, let limit):
                Self.compares(figures[figure, position], isAbove: isAbove, includesLimit: includesLimit, limit)
            }
        return isMatch != isNegated
    }

    private static func compares(_ value: Double, isAbove: Bool, includesLimit: Bool, _ limit: Double) -> Bool {
        (isAbove ? value > limit : value < limit) || includesLimit && value == limit
    }

    private static func matches(_ name: String, _ isWhole: Bool, _ group: String) -> Bool {
        isWhole ? group.lowercased() == name : group.lowercased().hasPrefix(name)
    }
}

extension FilterTerm.State {
    func matches(_ state: TargetState) -> Bool {
        switch self {
        case .up, .down, .degraded, .blocked, .paused, .unknown: state.healthName == rawValue
        case .slow: state.healthName == Health.degraded.rawValue && state.targetSummary.isSlow
        case .flapping: state.isFlapping
        case .acknowledged: state.targetSummary.isAcknowledged
        case .disputed: state.targetSummary.isDisputed
        case .maintenance: state.targetSummary.isInMaintenance
        case .fault: state.fault != nil
        case .explained: state.targetSummary.isExplained
        case .pending: state.pending != nil
        }
    }
}

extension String {
    /// Whether the text contains another.
    fileprivate func hasSubstring(_ part: String) -> Bool {
        // Each typed letter searches thousands of texts. In ASCII, bytes can be compared, which is faster.
        let (text, part) = (utf8, part.utf8)
        guard let first = part.first else { return true }
        guard text.allSatisfy({ $0 < 0x80 }) else { return contains(String(part)) }
        guard text.count >= part.count else { return false }
        var start = text.startIndex
        while let found = text[start...].firstIndex(of: first) {
            if text[found...].starts(with: part) { return true }
            start = text.index(after: found)
        }
        return false
    }
}

/// The figures of all targets that the filter compares, at most a second old. Percentiles of ten thousand targets are
/// too expensive for every frame.
struct FigureValues: Sendable {
    /// When the figures were read.
    private(set) var time = Duration.zero
    /// The edition of the settings that the positions belong to.
    private var edition = 0
    /// The figures by the position of the target, in seconds or as a share; NaN for a target without it.
    private var values: [FilterTerm.Figure: [Double]] = [:]

    /// Reads figures again if they are older than `interval`, or were not read yet.
    mutating func update(
        _ figures: Set<FilterTerm.Figure>,
        of roster: Roster,
        at now: Duration,
        interval: Duration
    ) {
        let isCurrent = edition == roster.edition && now < time + interval && figures.isSubset(of: values.keys)
        guard !figures.isEmpty, !isCurrent else { return }
        (time, edition, values) = (now, roster.edition, [:])
        // The figures of paused and blocked targets are not shown.
        let statistics = roster.states.map { $0.isPausedOrBlocked ? nil : $0.statistics }
        for figure in figures { values[figure] = statistics.map { $0?.value(of: figure) ?? .nan } }
    }

    /// The figure of the target at a position; NaN if the target has none. A comparison with NaN is false.
    subscript(figure: FilterTerm.Figure, position: Int) -> Double {
        values[figure]?[position] ?? .nan
    }
}

extension Statistics {
    fileprivate func value(of figure: FilterTerm.Figure) -> Double {
        switch figure {
        case .last: last?.inSeconds ?? .nan
        case .p95: percentile(95)?.inSeconds ?? .nan
        case .jitter: jitter?.inSeconds ?? .nan
        case .loss: loss ?? .nan
        }
    }
}
