extension LevelShift {
    /// The change as part of a sentence: `latency rose from 12 to 38ms`, `latency back to 12ms after 21m`.
    var words: String {
        if let ends { return "latency back to \(after.roundTripText) after \(ends.outageText)" }
        return
            "latency \(isRise ? "rose" : "fell") from \(before.roundTripText(before: after)) to \(after.roundTripText)"
    }

    /// What may be the reason: `since hop 4 changed`, `with 9 others: 10.1.0.1`; nil if nothing is known.
    package var reason: String? {
        let parts = [hop.map { "since hop \($0) changed" }, others.map { "with \($0)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension LossShift {
    /// The change as part of a sentence: `loss rose from 0 to 12%`, `loss back to 0% after 21m`.
    var words: String {
        if let ends { return "loss back to \(after.percentText) after \(ends.outageText)" }
        return "loss \(isRise ? "rose" : "fell") from \(before.percentText.dropLast()) to \(after.percentText)"
    }
}

extension CommonShift {
    /// The change as part of a sentence: `latency rose at 10 targets`.
    var words: String {
        "latency \(isReturn ? "is as before" : isRise ? "rose" : "fell") at \(cause.explained) targets"
    }

    /// What speaks for it: `10.1.0.1 (10 of 10 behind it; 83 others unchanged)`.
    var evidence: String { "\(cause.place) (\(cause.evidence(ofOthers: "unchanged")))" }
}

extension ShiftNews {
    private var words: String {
        switch self {
        case .level(let shift): shift.words
        case .loss(let shift): shift.words
        case .common(let shift): shift.words
        }
    }

    private var reason: String {
        switch self {
        case .level(let shift): shift.reason.map { ", \($0)" } ?? ""
        case .loss: ""
        case .common(let shift): " – \(shift.evidence)"
        }
    }

    /// The news as the rest of a sentence that begins with the target's name, without its time:
    /// `latency rose from 12 to 38ms, since hop 4 changed`.
    package var summary: String { words + reason }

    /// The same with the time when it began: `latency rose from 12 to 38ms at 14:03, since hop 4 changed`.
    ///
    /// - Parameter timeOfDay: the text for a time since the start of the program.
    package func sentence(timeOfDay: (Duration) -> String) -> String {
        ends == nil ? "\(words) at \(timeOfDay(began))\(reason)" : summary
    }

    /// The usual level for the hour of the day, where it differs from the one before: `usual at this hour: 14ms`.
    package var note: String? {
        guard case .level(let shift) = self, shift.ends == nil, let usual = shift.usual,
            usual.roundTripText != shift.before.roundTripText
        else { return nil }
        return "usual at this hour: \(usual.roundTripText)"
    }
}

extension Duration {
    /// The round trip in front of another one, without its unit if that is the same: `12` before `38ms`.
    fileprivate func roundTripText(before other: Duration) -> String {
        let (text, next) = (roundTripText, other.roundTripText)
        let unit = next.drop { $0.isNumber || $0 == "." || $0 == "<" }
        return text.hasSuffix(unit) && text.dropLast(unit.count).last?.isNumber == true
            ? String(text.dropLast(unit.count)) : text
    }
}
