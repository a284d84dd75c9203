#if Fetch
import Monitoring

/// An answer with the records of all sections.
struct DNSModuleMessage {
    let id: UInt16
    /// The response code, with the upper bits from EDNS (RFC 6891 §6.1.3).
    private(set) var code: UInt16
    /// Whether all records were parsed.
    private(set) var isComplete = true
    private(set) var questions: [String] = []
    private(set) var answers: [DNSModuleRecord] = []
    private(set) var authorities: [DNSModuleRecord] = []
    private(set) var additions: [DNSModuleRecord] = []
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
            let names = (DNSModule.className(recordClass), DNSModule.typeName(type))
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

    private mutating func records(_ count: UInt16, from reader: inout DNSReader) -> [DNSModuleRecord] {
        var records: [DNSModuleRecord] = []
        for _ in 0..<count where isComplete {
            guard let record = DNSModuleRecord(from: &reader) else {
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
        var text = ";; opcode: \(operation), status: \(DNSModule.responseCodeName(code)), id: \(id)\n"
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
#endif
