import NIOCore
import NIOEmbedded
import ReachMonitoring
import Testing

@testable import ReachProbing

struct DNSFuzzTests {
    private static let types = DNSQuestion.RecordType.allCases
    private static let name = DNSName(wire: wire("www.example.com"))

    /// Records of every parsed type, and of one that is not parsed.
    private static let records: [DNSMessage.Record] = [
        .alias(to: "a.example"), .a(192, 0, 2, 1), .a(192, 0, 2, 2, owner: wire("a.example")),
        .init(type: 28, value: [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        .init(type: 2, value: wire("ns.example")), .init(type: 12, value: [4] + Array("a.b ".utf8) + [0xC0, 0x0C]),
        .init(type: 15, value: [0, 1] + wire("b.example")), .init(type: 16, value: [3, 97, 0xC3, 0x22, 0]),
        .init(type: 6, value: [0xC0, 0x0C, 0xC0, 0x10] + Array(repeating: 1, count: 20)),
        .init(type: 33, value: [0, 1, 0, 2, 0, 3, 0xC0, 0x0C]), .init(type: 999, value: [1, 2, 3]),
    ]

    private static func query(_ type: DNSQuestion.RecordType) -> DNSQuery {
        DNSQuery(id: 0xBEEF, name: name, type: type)
    }

    /// Responses of every type and code, long and short, complete and truncated.
    private static let corpus: [[UInt8]] = {
        let codes: [[UInt8]] = (0...5).map { DNSMessage.answer(to: query(.a).message, code: $0) }
        let cut = DNSMessage.answer(to: query(.a).message, isTruncated: true, records: records)
        let aliases = (0..<20).map { DNSMessage.Record.alias(to: "x\($0 + 1)", owner: wire("x\($0)")) }
        let chain = DNSMessage.answer(to: query(.cname).message, records: [.alias(to: "x0")] + aliases)
        let single = records.compactMap { record -> [UInt8]? in
            guard let type = DNSQuestion.RecordType(rawValue: record.type) else { return nil }
            return DNSMessage.answer(to: query(type).message, records: [record])
        }
        let all = types.map { DNSMessage.answer(to: query($0).message, records: records) }
        return codes + [cut, chain] + single + single + all
    }()

    private let fuzz = Fuzz(
        name: "DNS",
        corpus: DNSFuzzTests.corpus,
        words: [[0xC0, 0x0C], [0xC0, 0x00], [0xC0, 0xFF], [0xFF, 0xFF], [63], [64], [0]]
    )

    @Test func `DNS messages are parsed safely, and no answer to another query is accepted`() async {
        await fuzz.run(often: ["answer", "refused", "malformed", "noise", "truncated"]) { input in
            // Most inputs are queried by the type that they were an answer to.
            let asked = input.bytes.dropFirst(30).prefix(1).last.flatMap {
                DNSQuestion.RecordType(rawValue: UInt16($0))
            }
            let type = asked ?? Self.types[input.number(below: 9)]
            let query = Self.query(type)
            try Self.holdEnd(of: input.bytes, type)
            switch query.parse(input.bytes) {
            case .malformed: return "malformed"
            case .unrelated: return "noise"
            case .truncated: return "truncated"
            case .answer(let answer):
                try hold(input.bytes.starts(with: [0xBE, 0xEF]), "an answer to another query")
                try hold(input.bytes[2] & 0xF8 == 0x80, "not an answer")
                try Self.holdQuestion(of: input.bytes, type)
                try hold(answer.records.count <= DNSAnswer.maxRecords, "\(answer.records.count) records")
                for record in answer.records.prefix(16) { try Self.holdText(of: record) }
                let question = DNSQuestion(server: .system, name: "www.example.com", type: type)
                switch DNSVerdict(on: answer, to: question, under: Self.name) {
                case .expected(let detail):
                    try holdShort(detail)
                    try hold(!answer.records(of: type, at: Self.name).isEmpty, "nothing was found")
                    return "answer"
                case .failure(let failure):
                    try holdShort(failure.detail)
                    return "refused"
                }
            }
        }
    }

    /// Checks that an uncompressed question in a message is that of the query, except for the case of letters.
    private static func holdQuestion(of message: [UInt8], _ type: DNSQuestion.RecordType) throws {
        let asked = name.wire + type.rawValue.inNetworkOrder + DNSRecord.internet.inNetworkOrder
        let repeated = message.dropFirst(12).prefix(asked.count)
        guard message[4..<6].elementsEqual([0, 1]), repeated.allSatisfy({ $0 < 0xC0 }) else { return }
        let isOurs = repeated.map { (65...90).contains($0) ? $0 | 0x20 : $0 } == asked
        try hold(isOurs, "an answer to another question")
    }

    /// Checks that the text of a record matches the record.
    private static func holdText(of record: DNSRecord) throws {
        try hold(DNSName("\(record.name)") == record.name, "another name: \(record.name)")
        try hold(record.name.wire.count <= DNSName.maxLength, "too long: \(record.name)")
        try hold(record.value == .other || record.matches(record.text), "does not say \(record.text)")
    }

    /// Checks that a probe ends after a few queries, for any messages of the servers.
    private static func holdEnd(of message: [UInt8], _ type: DNSQuestion.RecordType) throws {
        let servers = (1...2).map { DNSServer(address: IPAddress(ipv4: $0), port: 53) }
        let question = DNSQuestion(server: .host("a", port: 53), name: "www.example.com", type: type)
        let probe = Probe.icmp(timeout: .seconds(1))
        guard var conversation = DNSConversation(probe, question, under: name, with: servers, at: .zero) else {
            throw FuzzFailure(description: "no server")
        }
        var requests = 1
        for _ in 0..<20 {
            var message = message
            if message.starts(with: [0xBE, 0xEF]) {
                message.replaceSubrange(..<2, with: conversation.request.query.id.inNetworkOrder)
            }
            var step = conversation.receive(message, at: .milliseconds(requests))
            if step == .wait { step = conversation.expire(at: conversation.request.deadline) }
            if case .end = step { return }
            requests += 1
        }
        throw FuzzFailure(description: "endless queries")
    }

    @Test func `a DNS message over TCP is parsed from any fragments`() async throws {
        let framed = Self.corpus.map { UInt16($0.count).inNetworkOrder + $0 }
        let fuzz = Fuzz(name: "DNS-stream", corpus: framed, words: [[0, 0], [0xFF, 0xFF]], cost: 4)
        await fuzz.run(often: ["message", "nothing"]) { input in
            let channel = EmbeddedChannel()
            var heard: [[UInt8]] = []
            let handler = DNSStreamHandler(query: [1, 2, 3]) { heard.append($0) }
            try channel.pipeline.syncOperations.addHandler(handler)
            for fragment in input.fragments() {
                try channel.writeInbound(ByteBuffer(bytes: fragment))
                // The prober closes the connection after a message.
                if !heard.isEmpty { break }
            }
            let length = input.bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            _ = try? channel.finish(acceptAlreadyClosed: true)
            let isWhole = input.bytes.count >= 2 && input.bytes.count - 2 >= length
            try hold(heard == (isWhole ? [Array(input.bytes[2..<2 + length])] : []), "heard \(heard)")
            return isWhole ? "message" : "nothing"
        }
    }
}
