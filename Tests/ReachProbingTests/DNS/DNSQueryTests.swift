import ReachMonitoring
import Testing

@testable import ReachProbing

struct DNSQueryTests {
    private func query(_ name: String = "www.example.com", _ type: DNSQuestion.RecordType = .a) throws -> DNSQuery {
        DNSQuery(id: 0xBEEF, name: try #require(DNSName(name)), type: type)
    }

    @Test func `a query has a header, a question and an EDNS record`() throws {
        var query = try query("a.b", .aaaa)
        let question: [UInt8] = [1, 97, 1, 98, 0, 0, 28, 0, 1]
        let options: [UInt8] = [0, 0, 41, 0x04, 0xD0, 0, 0, 0, 0, 0, 0]
        #expect(query.message == [0xBE, 0xEF, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1] + question + options)
        query.hasOptions = false
        #expect(query.message == [0xBE, 0xEF, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + question)
    }

    @Test(
        arguments: [
            (.a, [192, 0, 2, 1], "192.0.2.1"),
            (.aaaa, [0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1], "2001:db8::1"),
            (.ns, wire("ns1.example.com"), "ns1.example.com"),
            (.ns, [3, 110, 115, 49, 0xC0, 0x10], "ns1.example.com"),
            (.ptr, [0xC0, 0x0C], "www.example.com"),
            (.mx, [0, 10] + wire("mail.example"), "10 mail.example"),
            (.mx, [0, 0, 0], "0 ."),
            (.srv, [0, 1, 0, 2, 1, 0xBB] + wire("host.example"), "1 2 443 host.example"),
            (.txt, [3, 97, 34, 92, 2, 27, 32, 0], #""a\"\\" "\027 " """#),
            (
                .soa,
                wire("ns.example") + wire("root.example") + [
                    0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 1, 0,
                ],
                "ns.example root.example 1 2 3 4 256"
            ),
        ] as [(DNSQuestion.RecordType, [UInt8], String)]
    )
    func `a record is printed in the format of zone files`(type: DNSQuestion.RecordType, value: [UInt8], text: String)
        throws
    {
        let query = try query("www.example.com", type)
        let record = DNSMessage.Record(type: type.rawValue, value: value)
        guard case .answer(let answer) = query.parse(DNSMessage.answer(to: query.message, records: [record])) else {
            Issue.record("not parsed")
            return
        }
        #expect(answer.records.map(\.text) == [text])
        #expect(answer.records.map(\.name) == [query.name])
        #expect(answer.records.first?.matches(text) == true)
    }

    @Test(
        arguments: [
            .init(type: 1, value: [192, 0, 2]),
            .init(type: 1, value: [192, 0, 2, 1, 0]),
            .init(type: 28, value: [192, 0, 2, 1]),
            .init(type: 5, value: [1, 97]),
            .init(type: 5, value: [1, 97, 0, 0]),
            .init(type: 15, value: [0]),
            .init(type: 15, value: [0, 0]),
            .init(type: 33, value: [0, 0, 0, 0, 0]),
            .init(type: 16, value: [5, 97]),
            .init(type: 6, value: [0, 0, 0, 0, 0, 1]),
            .init(type: 1, value: [192, 0, 2, 1], length: 100),
            .init(owner: [0xC0, 0xFF], type: 1, value: [192, 0, 2, 1]),
            .init(owner: [0xC0], type: 1, value: []),
        ] as [DNSMessage.Record]
    )
    func `a malformed record makes the answer malformed`(record: DNSMessage.Record) throws {
        let query = try query()
        let message = DNSMessage.answer(to: query.message, records: [.a(192, 0, 2, 1), record])
        #expect(query.parse(message) == .malformed)
    }

    @Test func `records of other types and classes are skipped`() throws {
        let query = try query()
        let records = [
            DNSMessage.Record(type: 46, value: [1, 2, 3]), DNSMessage.Record(type: 1, recordClass: 3, value: [1]),
            .a(192, 0, 2, 1),
        ]
        guard case .answer(let answer) = query.parse(DNSMessage.answer(to: query.message, records: records)) else {
            Issue.record("not parsed")
            return
        }
        #expect(answer.records.map(\.text) == ["?", "?", "192.0.2.1"])
    }

    @Test func `an incomplete answer is malformed or unrelated`() throws {
        let query = try query()
        let message = DNSMessage.answer(to: query.message, records: [.a(192, 0, 2, 1), .alias(to: "a.example")])
        for length in 0..<message.count {
            let isQuestionWhole = length >= 12 + query.name.wire.count + 4
            #expect(query.parse(Array(message.prefix(length))) == (isQuestionWhole ? .malformed : .unrelated))
        }
    }

    @Test func `an answer without a question may only be an error other than NXDOMAIN`() throws {
        let query = try query()
        let header: [UInt8] = [0xBE, 0xEF, 0x81, 0x85, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(query.parse(header) == .answer(DNSAnswer(code: 5)))
        for code in [0x80, 0x83] as [UInt8] {
            #expect(query.parse(header[..<3] + [code] + header[4...]) == .unrelated)
        }
    }

    @Test func `the question of an answer may differ in case`() throws {
        let message = DNSMessage.answer(to: try query("WWW.EXAMPLE.COM").message, records: [.a(192, 0, 2, 1)])
        guard case .answer = try query().parse(message) else {
            Issue.record("not parsed")
            return
        }
    }

    @Test func `hundreds of records are parsed`() throws {
        let query = try query()
        let records = (0..<400).map { DNSMessage.Record.a(192, 0, UInt8($0 / 200), UInt8($0 % 200)) }
        let message = DNSMessage.answer(to: query.message, records: records)
        guard case .answer(let answer) = query.parse(message) else {
            Issue.record("not parsed")
            return
        }
        #expect(answer.records.count == 400)
    }

    @Test func `the number of parsed records is limited`() throws {
        let query = try query()
        let records = Array(repeating: DNSMessage.Record.a(192, 0, 2, 1), count: 5_000)
        guard case .answer(let answer) = query.parse(DNSMessage.answer(to: query.message, records: records)) else {
            Issue.record("not parsed")
            return
        }
        #expect(answer.records.count == DNSAnswer.maxRecords)
    }
}
