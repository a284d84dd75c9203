import Monitoring
import Testing

@testable import Probing

struct DNSVerdictTests {
    private func name(_ text: String) -> DNSName {
        DNSName(wire: wire(text))
    }

    private func verdict(
        _ records: [DNSRecord],
        code: UInt8 = 0,
        type: DNSQuestion.RecordType = .a,
        expecting answer: String? = nil,
        _ expected: DNSQuestion.ResponseCode = .noerror
    ) -> DNSVerdict {
        let question = DNSQuestion(
            server: .system,
            name: "www.example",
            type: type,
            answer: answer,
            responseCode: expected
        )
        return DNSVerdict(on: DNSAnswer(code: UInt16(code), records: records), to: question, under: name("www.example"))
    }

    private func address(_ text: String, of host: String = "www.example") -> DNSRecord {
        let address = IPAddress(literal: text)
        return DNSRecord(
            name: name(host),
            type: address?.family == .ipv6 ? .aaaa : .a,
            value: address.map { .address($0) } ?? .other
        )
    }

    private func alias(_ host: String, _ other: String) -> DNSRecord {
        DNSRecord(name: name(host), type: .cname, value: .name(name(other)))
    }

    @Test func `aliases are followed to the record in any order`() {
        let chain = [
            address("192.0.2.1", of: "c.example"), alias("b.example", "c.example"), alias("www.example", "B.example"),
        ]
        #expect(verdict(chain) == .expected(detail: "A 192.0.2.1"))
        #expect(verdict(chain, type: .cname) == .expected(detail: "CNAME B.example"))
        let missing = DNSVerdict.failure(Failure(.answerMismatch, detail: "no AAAA record"))
        #expect(verdict(chain, type: .aaaa) == missing)
    }

    @Test func `alias loops and records of other names are no match`() {
        let missing = DNSVerdict.failure(Failure(.answerMismatch, detail: "no A record"))
        #expect(verdict([alias("www.example", "b.example"), alias("b.example", "www.example")]) == missing)
        #expect(verdict([alias("www.example", "www.example")]) == missing)
        #expect(verdict([address("192.0.2.1", of: "elsewhere.example")]) == missing)
        #expect(verdict([]) == missing)
    }

    @Test(arguments: [2, 3, 4, 254, 255] as [UInt16])
    func `a record of another class than IN is no match`(recordClass: UInt16) throws {
        let query = DNSQuery(id: 1, name: name("www.example"), type: .a)
        func judge(_ records: DNSMessage.Record...) throws -> DNSVerdict {
            let message = DNSMessage.answer(to: query.message, records: records)
            guard case .answer(let answer) = query.parse(message) else { throw Failure(.protocolError) }
            let question = DNSQuestion(server: .system, name: "www.example", type: .a)
            return DNSVerdict(on: answer, to: question, under: query.name)
        }
        let other = DNSMessage.Record(type: 1, recordClass: recordClass, value: [192, 0, 2, 1])
        let missing = DNSVerdict.failure(Failure(.answerMismatch, detail: "no A record"))
        #expect(try judge(other) == missing)
        #expect(try judge(other, .a(192, 0, 2, 2)) == .expected(detail: "A 192.0.2.2"))
        // The alias is of the class IN, but not its record.
        let far = DNSMessage.Record(owner: wire("b.example"), type: 1, recordClass: recordClass, value: [192, 0, 2, 1])
        #expect(try judge(.alias(to: "b.example"), far) == missing)
    }

    @Test(
        arguments: [
            (2, .noerror, .resolverFailed, "SERVFAIL"),
            (3, .noerror, .nameNotFound, "NXDOMAIN"),
            (5, .noerror, .answerMismatch, "REFUSED"),
            (9, .noerror, .answerMismatch, "response code 9"),
            (3, .refused, .answerMismatch, "NXDOMAIN"),
            (0, .nxdomain, .answerMismatch, "NOERROR"),
            (2, .nxdomain, .resolverFailed, "SERVFAIL"),
        ] as [(UInt8, DNSQuestion.ResponseCode, Reason, String)]
    )
    func `another response code is a failure`(
        code: UInt8,
        expected: DNSQuestion.ResponseCode,
        reason: Reason,
        detail: String
    ) {
        #expect(verdict([], code: code, expected) == .failure(Failure(reason, detail: detail)))
    }

    @Test func `an expected response code needs no records`() {
        #expect(verdict([], code: 3, .nxdomain) == .expected(detail: "NXDOMAIN"))
        #expect(verdict([], code: 2, .servfail) == .expected(detail: "SERVFAIL"))
    }

    @Test func `an unexpected record is quoted`() {
        let failure = Failure(.answerMismatch, detail: "NOERROR, A 192.0.2.1")
        #expect(verdict([address("192.0.2.1")], .nxdomain) == .failure(failure))
    }

    @Test(
        arguments: [
            (.a, .address(.v4), "192.0.2.1", "192.0.2.10"),
            (.aaaa, .address(.v6), "2001:DB8:0:0::1", "2001:db8::2"),
            (.ns, .name("NS1.example"), "ns1.Example.", "ns2.example"),
            (.mx, .host([10], "mail.example"), "10  MAIL.example.", "20 mail.example"),
            (.srv, .host([1, 2, 443], "h.example"), "1 2 443 h.example", "2 443 h.example"),
            (.txt, .text(["v=spf1 -all"]), "v=spf1 -all", "V=spf1 -all"),
            (.txt, .text(["v=spf1", " -all"]), "v=spf1 -all", "v=spf1-all"),
            (.txt, .text(["a b"]), "\"a b\"", "\"a\" \"b\""),
            (.txt, .text(["ü"]), "ü", "u"),
        ] as [(DNSQuestion.RecordType, Sample, String, String)]
    )
    func `an expected answer has several notations`(
        type: DNSQuestion.RecordType,
        sample: Sample,
        right: String,
        wrong: String
    ) {
        let record = DNSRecord(name: name("www.example"), type: type, value: sample.value)
        #expect(record.matches(right))
        #expect(!record.matches(wrong))
        #expect(!record.matches(""))
        let failure = Failure(.answerMismatch, detail: "\(type.name) is \(record.text), not \(wrong)")
        #expect(verdict([record], type: type, expecting: wrong) == .failure(failure))
    }

    @Test func `a long record is shortened`() {
        let record = DNSRecord(
            name: name("www.example"),
            type: .txt,
            value: .text([Array(repeating: UInt8(ascii: "x"), count: 255)])
        )
        let detail = "TXT \"" + String(repeating: "x", count: 38) + "… and 1 more"
        #expect(verdict([record, record], type: .txt) == .expected(detail: detail))
    }
}

/// A short notation for the value of a record.
enum Sample: Sendable {
    enum Version { case v4, v6 }

    case address(Version)
    case name(String)
    case host([UInt16], String)
    case text([String])

    var value: DNSRecord.Value {
        switch self {
        case .address(.v4): IPAddress(bytes: [192, 0, 2, 1]).map { .address($0) } ?? .other
        case .address(.v6): IPAddress(literal: "2001:db8::1").map { .address($0) } ?? .other
        case .name(let name): .name(DNSName(wire: wire(name)))
        case .host(let numbers, let name): .host(numbers, DNSName(wire: wire(name)))
        case .text(let strings): .text(strings.map { Array($0.utf8) })
        }
    }
}
