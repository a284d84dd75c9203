import NIOCore
import ReachMonitoring
import Testing

@testable import ReachProbing

struct EchoErrorTests {
    private let cookie = EchoCookie(process: 0x0102_0304_0506_0708, slot: 9, generation: 10)
    private static let four = IPAddress(ipv4: 0xC000_0205)
    private static let six = IPAddress(ipv6: 0x2001_0DB8_0000_0000, 5)

    /// The probed address of each family.
    private func probed(_ family: IPAddress.Family) -> IPAddress {
        family == .ipv4 ? Self.four : Self.six
    }

    /// A router's error about a request, as a raw socket delivers it.
    private func message(
        _ type: UInt8,
        _ code: UInt8,
        _ family: IPAddress.Family,
        quoting length: Int = .max,
        options: Int = 0
    ) -> ByteBuffer {
        var request = ByteBuffer()
        EchoPacket(.request, family: family, identifier: 0xBEEF, sequence: 0xFFFE, cookie: cookie)
            .write(to: &request, size: 56)
        var buffer = ByteBuffer()
        if family == .ipv4 { write(ipv4Header: 0x0A00_0001, options: 0, to: &buffer) }
        buffer.writeMultipleIntegers(type, code, UInt16(0), UInt32(0))
        if family == .ipv4 {
            write(ipv4Header: 0xC000_0205, options: options, to: &buffer)
        } else {
            buffer.writeMultipleIntegers(UInt32(6 << 28), UInt16(64), UInt8(58), UInt8(1), UInt64(0), UInt64(1))
            buffer.writeMultipleIntegers(UInt64(0x2001_0DB8_0000_0000), UInt64(5))
        }
        buffer.writeImmutableBuffer(request.getSlice(at: 0, length: min(length, 64)) ?? request)
        return buffer
    }

    private func write(ipv4Header destination: UInt32, options: Int, to buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt8(0x45 + options), UInt8(0), UInt16(84), UInt16(1), UInt16(0x4000))
        buffer.writeMultipleIntegers(UInt8(1), UInt8(1), UInt16(0), UInt32(0x0A00_0002), destination)
        buffer.writeRepeatingByte(0, count: options * 4)
    }

    @Test(
        arguments: [
            (.ipv4, 3, 0, .networkUnreachable), (.ipv4, 3, 1, .hostUnreachable), (.ipv4, 3, 3, .refused),
            (.ipv4, 3, 9, .prohibited), (.ipv4, 3, 10, .prohibited), (.ipv4, 3, 13, .prohibited),
            (.ipv4, 11, 0, .ttlExceeded), (.ipv6, 1, 0, .networkUnreachable), (.ipv6, 1, 1, .prohibited),
            (.ipv6, 1, 3, .hostUnreachable), (.ipv6, 1, 4, .refused), (.ipv6, 3, 0, .ttlExceeded),
        ] as [(IPAddress.Family, UInt8, UInt8, Reason)]
    )
    func `a message has the reason and the request`(
        family: IPAddress.Family,
        type: UInt8,
        code: UInt8,
        reason: Reason
    ) throws {
        let error = try #require(EchoError(reading: message(type, code, family), family: family))
        #expect(error.reason == reason)
        #expect(error.destination == probed(family))
        #expect(error.identifier == 0xBEEF)
        #expect(error.sequence == 0xFFFE)
        #expect(error.cookie == cookie)
    }

    @Test(arguments: [IPAddress.Family.ipv4, .ipv6])
    func `a message that quotes the header only is parsed`(family: IPAddress.Family) throws {
        let type: UInt8 = family == .ipv4 ? 11 : 3
        let error = try #require(EchoError(reading: message(type, 0, family, quoting: 8), family: family))
        #expect(error.cookie == nil)
        #expect(error.sequence == 0xFFFE)
        #expect(EchoError(reading: message(type, 0, family, quoting: 7), family: family) == nil)
    }

    @Test func `a quoted header with options is skipped`() {
        for words in 0...10 {
            let error = EchoError(reading: message(3, 1, .ipv4, options: words), family: .ipv4)
            #expect(error?.cookie == cookie, "\(words)")
        }
    }

    @Test func `messages that are no verdict or about other packets are ignored`() {
        #expect(EchoError(reading: message(3, 4, .ipv4), family: .ipv4) == nil, "too big for a link")
        #expect(EchoError(reading: message(11, 1, .ipv4), family: .ipv4) == nil, "reassembly")
        #expect(EchoError(reading: message(0, 0, .ipv4), family: .ipv4) == nil, "a reply")
        #expect(EchoError(reading: message(2, 0, .ipv6), family: .ipv6) == nil, "too big for a link")
        var other = message(3, 3, .ipv4)
        other.setInteger(UInt8(17), at: 28 + 9)
        #expect(EchoError(reading: other, family: .ipv4) == nil, "about a datagram")
        var later = message(3, 3, .ipv4)
        later.setInteger(UInt16(1), at: 28 + 6)
        #expect(EchoError(reading: later, family: .ipv4) == nil, "about a later fragment")
        var reply = message(3, 3, .ipv4)
        reply.setInteger(UInt8(0), at: 28 + 20)
        #expect(EchoError(reading: reply, family: .ipv4) == nil, "about a reply")
    }

    @Test func `the detail has the sender of the error`() throws {
        let router = IPAddress(ipv4: 0xC000_0201)
        let unreachable = try #require(EchoError(reading: message(3, 1, .ipv4), family: .ipv4))
        let words = "host unreachable (reported by 192.0.2.1)"
        #expect(Failure(unreachable.reason, reportedBy: router) == Failure(.hostUnreachable, detail: words))
        let port = try #require(EchoError(reading: message(3, 3, .ipv4), family: .ipv4))
        #expect(
            Failure(port.reason, reportedBy: router)
                == Failure(.refused, detail: "port unreachable (reported by 192.0.2.1)")
        )
    }
}

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
        #expect(late == .late(Probe.icmp(target: 2).watch, roundTrip: .seconds(2), sent: .zero))
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
