#if Fetch

import ReachMonitoring

/// An answer with the texts of the records of all sections, in the format of zone files, as the blackbox exporter writes
/// them.
struct BlackboxDNSMessage {
    private let packet: DNSPacket
    /// Whether all records were parsed.
    private(set) var isComplete: Bool
    private(set) var answers: [String] = []
    private(set) var authorities: [String] = []
    private(set) var additions: [String] = []

    /// Parses a message; nil if it has no header.
    init?(_ bytes: [UInt8]) {
        guard let packet = DNSPacket(bytes) else { return nil }
        self.packet = packet
        isComplete = packet.isComplete
        answers = texts(of: packet.answers)
        authorities = texts(of: packet.authorities)
        additions = texts(of: packet.additions)
    }

    /// Returns the texts of the records before the first malformed one of the message.
    private mutating func texts(of records: [DNSRawRecord]) -> [String] {
        var texts: [String] = []
        for record in records where isComplete {
            if let text = record.zoneText { texts.append(text) } else { isComplete = false }
        }
        return texts
    }

    var id: UInt16 { packet.id }
    var isResponse: Bool { packet.isResponse }
    /// Whether the server has left out records that did not fit.
    var isTruncated: Bool { packet.isTruncated }
    /// The response code, with the upper bits from EDNS.
    var code: UInt16 { packet.code }
    /// The serial number of the last SOA record; nil if there is none.
    var serial: UInt32? { packet.answers.compactMap(\.serial).last }

    /// The message in the format of dig, as the blackbox exporter logs it.
    var text: String {
        let names = [0: "QUERY", 1: "IQUERY", 2: "STATUS", 4: "NOTIFY", 5: "UPDATE"]
        let bits: [(UInt16, String)] = [
            (0x8000, "qr"), (0x0400, "aa"), (0x0200, "tc"), (0x0100, "rd"), (0x0080, "ra"), (0x0040, "z"),
            (0x0020, "ad"), (0x0010, "cd"),
        ]
        let set = bits.filter { packet.flags & $0.0 != 0 }.map { " \($0.1)" }.joined()
        let counts = [
            "QUERY: \(packet.questions.count)", "ANSWER: \(answers.count)", "AUTHORITY: \(authorities.count)",
            "ADDITIONAL: \(additions.count)",
        ]
        let (operation, status) = (names[Int(packet.operation)] ?? "", BlackboxDNSModule.responseCodeName(code))
        var text = ";; opcode: \(operation), status: \(status), id: \(id)\n"
        text += ";; flags:\(set); \(counts.joined(separator: ", "))\n"
        if let options = packet.options?.zoneText { text += options + "\n" }
        let records = zip(packet.additions, additions).filter { $0.0.type != DNSRecord.options }.map(\.1)
        let sections = [
            ("QUESTION", packet.questions.map(\.zoneText)), ("ANSWER", answers), ("AUTHORITY", authorities),
            ("ADDITIONAL", records),
        ]
        for (name, lines) in sections where !lines.isEmpty {
            text += "\n;; \(name) SECTION:\n" + lines.map { $0 + "\n" }.joined()
        }
        return text
    }
}

extension DNSPacket.Question {
    /// The question in the format of dig.
    fileprivate var zoneText: String {
        ";\(name.zoneText)\t\(BlackboxDNSModule.className(recordClass))\t \(BlackboxDNSModule.typeName(type))"
    }
}

extension DNSRawRecord {
    /// The type NULL, which has no format. Its record is a comment.
    private static let null: UInt16 = 10

    /// The values of the fields of its type; nil if they are malformed, or the type is unknown.
    private var knownValues: [DNSRecordField.Value]? { DNSRecordLayout.fields(of: type).flatMap(values(of:)) }

    /// The record in the format of zone files: name, lifetime, class, type and data. Nil if the data is malformed.
    fileprivate var zoneText: String? {
        guard type != DNSRecord.options else {
            let flags = lifetime & 0x8000 == 0 ? "" : "do"
            let version = lifetime >> 16 & 0xFF
            return "\n;; OPT PSEUDOSECTION:\n; EDNS: version \(version); flags: \(flags); udp: \(recordClass)"
        }
        let head = "\(name.zoneText)\t\(lifetime)\t"
        guard DNSRecordLayout.fields(of: type) != nil else {
            // The format of records of unknown types (RFC 3597 §5).
            return "\(head)CLASS\(recordClass)\tTYPE\(type)\t\\# \(data.count) \(data.hexadecimal)"
        }
        let mark = type == Self.null ? ";" : ""
        let names = "\(BlackboxDNSModule.className(recordClass))\t\(BlackboxDNSModule.typeName(type))"
        return knownValues.map { "\(mark)\(head)\(names)\t\($0.map(\.zoneText).joined(separator: " "))" }
    }

    /// The serial number of an SOA record.
    fileprivate var serial: UInt32? {
        guard type == DNSQuestion.RecordType.soa.rawValue, let values = knownValues, values.count == 7,
            case .number(let serial) = values[2]
        else { return nil }
        return serial
    }
}

extension BlackboxDNSModule.Validation {
    /// All patterns, in a fixed order.
    var patterns: [BlackboxPattern] { failsIfMatches + failsIfAllMatch + failsIfNotMatches + failsIfNoneMatches }

    /// Returns whether the records of a section are valid.
    ///
    /// - Parameters:
    ///   - matches: For each of ``patterns``, whether each record matches.
    ///   - records: The texts of the records.
    ///   - log: Called with each step, in the words of the blackbox exporter.
    func isMet(
        by matches: [[Bool]],
        _ records: [String],
        log: (BlackboxReport.LogLine.Level, String, KeyValuePairs<String, String>) -> Void
    ) -> Bool {
        var rest = Array(zip(patterns.map(\.text), matches))[...]
        func next(_ patterns: [BlackboxPattern]) -> [(pattern: String, matches: [Bool])] {
            defer { rest = rest.dropFirst(patterns.count) }
            return rest.prefix(patterns.count).map { (pattern: $0.0, matches: $0.1) }
        }
        let (none, all) = (next(failsIfMatches), next(failsIfAllMatch))
        let (every, some) = (next(failsIfNotMatches), next(failsIfNoneMatches))
        for (patterns, name) in [(every, "fail_if_not_matches_regexp"), (some, "fail_if_none_matches_regexp")]
        where records.isEmpty && !patterns.isEmpty {
            log(.error, "\(name) specified but no RRs returned", [:])
            return false
        }
        for (index, record) in records.enumerated() {
            log(.debug, "Validating RR", ["rr": record])
            if let match = none.first(where: { $0.matches[index] }) {
                log(.error, "At least one RR matched regexp", ["regexp": match.pattern, "rr": record])
                return false
            }
            if let match = every.first(where: { !$0.matches[index] }) {
                log(.error, "At least one RR did not match regexp", ["regexp": match.pattern, "rr": record])
                return false
            }
        }
        // As in the blackbox exporter, the probe passes only if every record matches each pattern.
        if all.contains(where: { $0.matches.contains(false) }) {
            log(.error, "Not all RRs matched regexp", [:])
            return false
        }
        if !some.isEmpty, !some.contains(where: { $0.matches.contains(true) }) {
            log(.error, "None of the RRs did matched any regexp", [:])
            return false
        }
        return true
    }
}

#endif
