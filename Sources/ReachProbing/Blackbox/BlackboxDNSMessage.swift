#if Fetch

import ReachMonitoring

/// An answer with the records of all sections.
struct BlackboxDNSMessage {
    let id: UInt16
    /// The response code, with the upper bits from EDNS (RFC 6891 §6.1.3).
    private(set) var code: UInt16
    /// Whether all records were parsed.
    private(set) var isComplete = true
    private(set) var questions: [String] = []
    private(set) var answers: [BlackboxDNSRecord] = []
    private(set) var authorities: [BlackboxDNSRecord] = []
    private(set) var additions: [BlackboxDNSRecord] = []
    private let flags: UInt16

    /// Parses a message; nil if it has no header.
    init?(_ bytes: [UInt8]) {
        var reader = DNSReader(bytes)
        guard let id = reader.readUInt16(), let flags = reader.readUInt16(), let questions = reader.readUInt16(),
            let answers = reader.readUInt16(), let authorities = reader.readUInt16(),
            let additions = reader.readUInt16()
        else { return nil }
        (self.id, self.flags, code) = (id, flags, flags & 0x000F)
        // Some servers send only the header with an error, whatever it says about sections.
        guard reader.position < bytes.count else { return }
        for _ in 0..<questions {
            guard let name = reader.readName(), let type = reader.readUInt16(), let recordClass = reader.readUInt16()
            else {
                isComplete = false
                return
            }
            let names = (BlackboxDNSModule.className(recordClass), BlackboxDNSModule.typeName(type))
            self.questions.append(";\(name.zoneText)\t\(names.0)\t \(names.1)")
        }
        self.answers = records(answers, from: &reader)
        self.authorities = records(authorities, from: &reader)
        self.additions = records(additions, from: &reader)
        code |= self.additions.last { $0.type == DNSRecord.options }?.extendedCode ?? 0
    }

    var isResponse: Bool { flags & 0x8000 != 0 }

    /// Whether the server has left out records that did not fit.
    var isTruncated: Bool { flags & 0x0200 != 0 }

    private mutating func records(_ count: UInt16, from reader: inout DNSReader) -> [BlackboxDNSRecord] {
        var records: [BlackboxDNSRecord] = []
        for _ in 0..<count where isComplete {
            guard let record = BlackboxDNSRecord(from: &reader) else {
                isComplete = false
                break
            }
            records.append(record)
        }
        return records
    }

    /// The message in the format of dig, as the blackbox exporter logs it.
    var text: String {
        let names = [0: "QUERY", 1: "IQUERY", 2: "STATUS", 4: "NOTIFY", 5: "UPDATE"]
        let operation = names[Int(flags >> 11 & 0x0F)] ?? ""
        let bits: [(UInt16, String)] = [
            (0x8000, "qr"), (0x0400, "aa"), (0x0200, "tc"), (0x0100, "rd"), (0x0080, "ra"), (0x0040, "z"),
            (0x0020, "ad"), (0x0010, "cd"),
        ]
        let set = bits.filter { flags & $0.0 != 0 }.map { " \($0.1)" }.joined()
        let counts = [
            "QUERY: \(questions.count)", "ANSWER: \(answers.count)", "AUTHORITY: \(authorities.count)",
            "ADDITIONAL: \(additions.count)",
        ]
        var text = ";; opcode: \(operation), status: \(BlackboxDNSModule.responseCodeName(code)), id: \(id)\n"
        text += ";; flags:\(set); \(counts.joined(separator: ", "))\n"
        if let options = additions.last(where: { $0.type == DNSRecord.options }) { text += options.text + "\n" }
        let sections = [
            ("QUESTION", questions), ("ANSWER", answers.map(\.text)), ("AUTHORITY", authorities.map(\.text)),
            ("ADDITIONAL", additions.filter { $0.type != DNSRecord.options }.map(\.text)),
        ]
        for (name, lines) in sections where !lines.isEmpty {
            text += "\n;; \(name) SECTION:\n" + lines.map { $0 + "\n" }.joined()
        }
        return text
    }
}

/// The query of a DNS module (RFC 1035 §4.1), without EDNS.
struct BlackboxDNSQuery {
    /// The message, without the length prefix of TCP.
    let message: [UInt8]

    init(id: UInt16, name: DNSName, _ module: BlackboxDNSModule) {
        let flags: UInt16 = module.desiresRecursion ? 0x0100 : 0
        let head = [id, flags, 1, 0, 0, 0].flatMap(\.inNetworkOrder)
        message = head + name.wire + module.type.inNetworkOrder + module.recordClass.inNetworkOrder
    }
}

/// A record of an answer to a module, in the format of zone files, as the blackbox exporter writes it.
struct BlackboxDNSRecord {
    /// The text: name, lifetime, class, type and data.
    let text: String
    /// The type of the record.
    let type: UInt16
    /// The serial number of an SOA record.
    private(set) var serial: UInt32?
    /// The upper bits of the response code, of an OPT record.
    private(set) var extendedCode: UInt16 = 0

    /// Parses the next record; nil if it is malformed.
    init?(from reader: inout DNSReader) {
        guard let name = reader.readName(), let type = reader.readUInt16(), let recordClass = reader.readUInt16(),
            let lifetime = reader.readUInt32(), let length = reader.readUInt16()
        else { return nil }
        self.type = type
        let start = reader
        guard let data = reader.readBytes(Int(length)) else { return nil }
        guard type != DNSRecord.options else {
            extendedCode = UInt16(lifetime >> 24) << 4
            let flags = lifetime & 0x8000 == 0 ? "" : "do"
            let version = lifetime >> 16 & 0xFF
            text = "\n;; OPT PSEUDOSECTION:\n; EDNS: version \(version); flags: \(flags); udp: \(recordClass)"
            return
        }
        let head = "\(name.zoneText)\t\(lifetime)\t"
        guard let fields = DNSRecordLayout.fields(of: type) else {
            // The format of records of unknown types (RFC 3597 §5).
            text = "\(head)CLASS\(recordClass)\tTYPE\(type)\t\\# \(data.count) \(data.hexadecimal)"
            return
        }
        // Names in the data may point anywhere before it, so this reader has the whole message.
        var inner = start
        var words: [String] = []
        for field in fields where length > 0 {
            guard inner.position <= reader.position, let next = field.words(from: &inner, to: reader.position) else {
                return nil
            }
            words += next
        }
        guard length == 0 || inner.position == reader.position else { return nil }
        let mark = type == Self.null ? ";" : ""
        text =
            "\(mark)\(head)\(BlackboxDNSModule.className(recordClass))\t\(BlackboxDNSModule.typeName(type))\t"
            + words.joined(separator: " ")
        if type == DNSQuestion.RecordType.soa.rawValue, words.count == 7 { serial = UInt32(words[2]) }
    }

    /// The type NULL, which has no format. Its record is a comment.
    private static let null: UInt16 = 10
}

extension DNSName {
    /// The name in the format of zone files, with a trailing dot.
    var zoneText: String {
        let text = labels.map { $0.map(Self.zoneText).joined() + "." }.joined()
        return text.isEmpty ? "." : text
    }

    private static func zoneText(_ byte: UInt8) -> String {
        ".'@;()\"\\ ".utf8.contains(byte) ? "\\\(Unicode.Scalar(byte))" : byte.inZoneFile
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
