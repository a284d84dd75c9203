import Monitoring
import NIOCore
import Testing

@testable import Probing

/// ICMP errors and the table of requests.
struct EchoRefusalTests {
    private let here = IPAddress(ipv4: 0xC000_0201)

    private func error(about sequence: UInt16, _ cookie: EchoCookie?, to destination: IPAddress) throws -> EchoError {
        var quotation = ByteBuffer()
        let full = cookie ?? EchoCookie(process: 0, slot: 0, generation: 0)
        EchoPacket(.request, family: .ipv4, identifier: 1, sequence: sequence, cookie: full).write(
            to: &quotation,
            size: 56
        )
        if cookie == nil { quotation.moveWriterIndex(to: EchoPacket.headerSize) }
        return try #require(EchoError(reason: .hostUnreachable, destination: destination, quotation: quotation))
    }

    @Test(arguments: [true, false])
    func `an error ends its request, with or without the cookie`(isQuoted: Bool) throws {
        var table = EchoTable()
        _ = table.add(.icmp(target: 1), at: .zero)
        let (sequence, cookie) = table.add(.icmp(target: 2), at: .zero)
        let error = try error(about: sequence, isQuoted ? cookie : nil, to: here)
        #expect(table.fail(error, at: .milliseconds(5)) == .icmp(target: 2))
        #expect(table.fail(error, at: .milliseconds(6)) == nil)
        #expect(table.expire(at: .seconds(2)).map(\.probe) == [.icmp(target: 1)])
        let late = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(2))
        #expect(late == .late(EndedProbe(.icmp(target: 2)), roundTrip: .seconds(2), sent: .zero))
    }

    @Test func `an error about another address, sequence, cookie or process is ignored`() throws {
        var table = EchoTable(process: 7)
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        let elsewhere = IPAddress(ipv4: 0xC000_0202)
        let foreign = EchoCookie(process: 8, slot: cookie.slot, generation: cookie.generation)
        let older = EchoCookie(process: 7, slot: cookie.slot, generation: cookie.generation &- 1)
        for cookie in [foreign, older] {
            #expect(table.fail(try error(about: sequence, cookie, to: here), at: .zero) == nil)
        }
        #expect(table.fail(try error(about: sequence, cookie, to: elsewhere), at: .zero) == nil)
        #expect(table.fail(try error(about: sequence, nil, to: elsewhere), at: .zero) == nil)
        #expect(table.fail(try error(about: sequence &+ 1, cookie, to: here), at: .zero) == nil)
        #expect(table.fail(try error(about: sequence &+ 1, nil, to: here), at: .zero) == nil)
        #expect(table.fail(try error(about: sequence, cookie, to: here), at: .zero) == .icmp())
    }

    @Test func `a flood of errors with wrong cookies ends no request`() throws {
        var table = EchoTable(process: 7)
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        for number in UInt64(0)..<10_000 {
            // The sender knows all but the secret: the address, the sequence, and the slot.
            let process = number &* 0x9E37_79B9_7F4A_7C15
            let junk = EchoCookie(process: process == 7 ? 8 : process, slot: cookie.slot, generation: cookie.generation)
            #expect(table.fail(try error(about: sequence, junk, to: here), at: .zero) == nil)
        }
        #expect(table.count == 1)
        #expect(table.fail(try error(about: sequence, cookie, to: here), at: .zero) == .icmp())
    }

    @Test func `an error after the timeout is ignored`() throws {
        var table = EchoTable()
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        #expect(table.fail(try error(about: sequence, cookie, to: here), at: .milliseconds(1_001)) == nil)
        #expect(table.expire(at: .milliseconds(1_001)).map(\.probe) == [.icmp()])
        #expect(table.fail(try error(about: sequence, nil, to: here), at: .milliseconds(1_002)) == nil)
    }

    @Test func `an old sequence number does not end the new request of a slot`() throws {
        var table = EchoTable()
        let (old, _) = table.add(.icmp(target: 1), at: .zero)
        _ = table.expire(at: .seconds(1))
        _ = table.expire(at: .seconds(20))
        _ = table.add(.icmp(target: 2), at: .seconds(20))
        #expect(table.count == 1)
        #expect(table.fail(try error(about: old, nil, to: here), at: .seconds(20)) == nil)
    }
}
