#if Fetch
import Monitoring

/// A record of an answer to a module, in the format of zone files, as the blackbox exporter writes it.
struct DNSModuleRecord {
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
            "\(mark)\(head)\(DNSModule.className(recordClass))\t\(DNSModule.typeName(type))\t"
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
#endif
