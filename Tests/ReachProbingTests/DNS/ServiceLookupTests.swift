import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// Lookups of SRV records at servers on loopback.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct ServiceLookupTests {
    private func service(_ priority: UInt8, _ port: UInt16, _ host: String) -> DNSMessage.Record {
        DNSMessage.Record(type: 33, value: [0, priority, 0, 1] + port.inNetworkOrder + wire(host))
    }

    private func lookup(_ servers: NameServer..., timeout: Duration = .seconds(5)) async throws(Failure)
        -> ServiceAnswer
    {
        let addresses = servers.map { "127.0.0.1:\($0.port)" }
        return try await ServiceLookup(of: "_http._tcp.test", at: addresses, timeout: timeout).answer()
    }

    @Test func `the records are in the order of their priorities, with the time to live`() async throws {
        let records = [
            service(2, 80, "b.test"), service(1, 443, "z.test"), service(1, 443, "a.test"), service(1, 0, "c.test"),
            service(1, 80, ""),
        ]
        let server = try await NameServer.on { [.send(DNSMessage.answer(to: $0.query, records: records))] }
        let answer = try await lookup(server)
        #expect(answer.records.map { "\($0.host):\($0.port)" } == ["a.test:443", "z.test:443", "b.test:80"])
        #expect(answer.lifetime == .seconds(60))
        try await server.close()
    }

    @Test func `a record of another class than IN is no service`() async throws {
        var record = service(1, 80, "a.test")
        record.recordClass = 3
        let server = try await NameServer.on { [record] in
            [.send(DNSMessage.answer(to: $0.query, records: [record]))]
        }
        let answer = try await lookup(server)
        #expect(answer.records.isEmpty && answer.lifetime == nil)
        try await server.close()
    }

    @Test func `an answer that does not fit is asked for again by TCP`() async throws {
        let record = service(1, 80, "a.test")
        let server = try await NameServer.on { question in
            question.isStream
                ? [.send(DNSMessage.answer(to: question.query, records: [record]))]
                : [.send(DNSMessage.answer(to: question.query, isTruncated: true))]
        }
        #expect(try await lookup(server).records.count == 1)
        try await server.close()
    }

    @Test func `a name that does not exist has no services, and other answers are ignored`() async throws {
        let server = try await NameServer.on { question in
            [
                .send(DNSMessage.answer(to: question.query, flaw: .anotherIdentifier)),
                .send(DNSMessage.answer(to: question.query, code: 3)),
            ]
        }
        let answer = try await lookup(server)
        #expect(answer.records.isEmpty && answer.lifetime == nil)
        try await server.close()
    }

    @Test func `the next server is asked after one that fails, is silent or sends nonsense`() async throws {
        let record = service(1, 80, "a.test")
        let failing = try await NameServer.on { [.send(DNSMessage.answer(to: $0.query, code: 2))] }
        let silent = try await NameServer.on { _ in [] }
        let broken = try await NameServer.on { question in
            let malformed = DNSMessage.Record(type: 33, value: [1], length: 200)
            return [.send(DNSMessage.answer(to: question.query, records: [malformed]))]
        }
        let good = try await NameServer.on { [.send(DNSMessage.answer(to: $0.query, records: [record]))] }
        #expect(try await lookup(failing, broken, silent, good, timeout: .milliseconds(800)).records.count == 1)
        for server in [failing, silent, broken, good] { try await server.close() }
    }

    @Test(arguments: [1, 2, 4] as [UInt16])
    func `a server that rejects EDNS is asked again without it`(code: UInt16) async throws {
        let record = service(1, 80, "a.test")
        let server = try await NameServer.on { question in
            let isRejected = question.query[11] != 0
            return [
                .send(
                    isRejected
                        ? DNSMessage.answer(to: question.query, code: code)
                        : DNSMessage.answer(to: question.query, records: [record])
                )
            ]
        }
        #expect(try await lookup(server).records.count == 1)
        try await server.close()
    }

    @Test func `without an answer, the failure of the last server is the reason`() async throws {
        let failing = try await NameServer.on { [.send(DNSMessage.answer(to: $0.query, code: 5))] }
        let failure = await #expect(throws: Failure.self) { try await lookup(failing) }
        #expect(failure?.detail == "REFUSED")
        try await failing.close()
        let refused = await #expect(throws: Failure.self) {
            let server = "127.0.0.1:\(Listener.closedPort)"
            return try await ServiceLookup(of: "a.test", at: [server], timeout: .seconds(5)).answer()
        }
        #expect(refused?.reason == .refused)
    }

    @Test func `an invalid name or server is a failure`() {
        #expect(throws: Failure.self) { try ServiceLookup(of: "a..b", at: [], timeout: .seconds(1)) }
        #expect(throws: Failure.self) { try ServiceLookup(of: "a", at: ["x"], timeout: .seconds(1)) }
        #expect(throws: Never.self) {
            try ServiceLookup(of: "a", at: ["[::1]:53", "::1", "[::1]"], timeout: .seconds(1))
        }
    }
}
