import ReachMonitoring
import Testing

@testable import ReachProbing

struct EchoTableTests {
    private let here = IPAddress(literal: "192.0.2.1")
    private let elsewhere = IPAddress(literal: "192.0.2.2")

    @Test func `a reply ends its request once`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.add(.icmp(), at: .seconds(1))
        #expect(table.nextDeadline == .seconds(2))
        #expect(
            table.reply(sequence: sequence, cookie: cookie, from: here, at: .milliseconds(1_020))
                == .reply(.icmp(), roundTrip: .milliseconds(20))
        )
        #expect(table.nextDeadline == nil)
        #expect(
            table.reply(sequence: sequence, cookie: cookie, from: here, at: .milliseconds(1_021))
                == .duplicate(Probe.icmp().watch)
        )
        #expect(table.expire(at: .seconds(5)).isEmpty)
    }

    @Test func `a reply with another address, sequence or cookie is ignored`() throws {
        var table = EchoTable(process: 7)
        let (here, elsewhere) = (try #require(here), try #require(elsewhere))
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        let foreign = EchoCookie(process: 8, slot: cookie.slot, generation: cookie.generation)
        let outside = EchoCookie(process: 7, slot: .max, generation: 0)
        let older = EchoCookie(process: 7, slot: cookie.slot, generation: cookie.generation &- 1)
        for cookie in [foreign, outside, older] {
            #expect(table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero) == .unmatched)
        }
        #expect(table.reply(sequence: sequence, cookie: cookie, from: elsewhere, at: .zero) == .unmatched)
        #expect(table.reply(sequence: sequence &+ 1, cookie: cookie, from: here, at: .zero) == .unmatched)
        let verdict = table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero)
        #expect(verdict == .reply(.icmp(), roundTrip: .zero))
    }

    @Test func `a reply to an earlier request of the same slot and sequence is ignored`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        var now = Duration.zero
        table.withdraw(cookie, at: now)
        // A single slot is reused until the sequence number wraps around.
        for _ in 0..<1 << 16 {
            now += EchoTable.retention
            _ = table.expire(at: now)
            let (later, next) = table.add(.icmp(target: 1), at: now)
            try #require(next.slot == cookie.slot)
            guard later == sequence else {
                table.withdraw(next, at: now)
                continue
            }
            #expect(next.generation != cookie.generation)
            #expect(table.sendTime(of: cookie) == nil)
            #expect(table.reply(sequence: sequence, cookie: cookie, from: here, at: now) == .unmatched)
            table.withdraw(cookie, at: now)
            #expect(table.nextDeadline == now + .seconds(1), "nothing was withdrawn")
            let answer = table.reply(sequence: sequence, cookie: next, from: here, at: now)
            #expect(answer == .reply(.icmp(target: 1), roundTrip: .zero))
            return
        }
        Issue.record("the sequence number did not wrap around")
    }

    @Test func `a reply after the timeout is late, and the next one a duplicate`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        #expect(table.expire(at: .milliseconds(999)).isEmpty)
        #expect(table.expire(at: .seconds(1)).map(\.probe) == [.icmp()])
        let late = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(2))
        #expect(late == .late(Probe.icmp().watch, roundTrip: .seconds(2), sent: .zero))
        let second = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(2))
        #expect(second == .duplicate(Probe.icmp().watch))
    }

    @Test func `a reply after its deadline is late even before the request expires`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        let late = table.reply(sequence: sequence, cookie: cookie, from: here, at: .milliseconds(1_001))
        #expect(late == .late(Probe.icmp().watch, roundTrip: .milliseconds(1_001), sent: .zero))
        #expect(table.expire(at: .milliseconds(1_002)).map(\.probe) == [.icmp()])
    }

    @Test func `a reply from another address is the reason of a loss, unless the right one follows`() throws {
        var table = EchoTable()
        let (here, elsewhere) = (try #require(here), IPAddress(ipv4: 0x0A00_0009))
        for isFollowed in [false, true] {
            let (sequence, cookie) = table.add(.icmp(), at: .zero)
            #expect(table.reply(sequence: sequence, cookie: cookie, from: elsewhere, at: .zero) == .unmatched)
            if isFollowed {
                let answer = table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero)
                #expect(answer == .reply(.icmp(), roundTrip: .zero))
            }
            let failure = Failure(.answerMismatch, detail: "answers from 10.0.0.9")
            #expect(table.expire(at: .seconds(1)).map(\.outcome) == (isFollowed ? [] : [.failure(failure)]))
        }
        // The slots are used again.
        _ = table.expire(at: .seconds(1) + EchoTable.retention)
        _ = table.add(.icmp(), at: .seconds(20))
        #expect(table.expire(at: .seconds(21)).map(\.outcome) == [.timeout])
    }

    @Test func `more than 65,536 probes of one target can be in flight`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let probes = (1...70_000).map { Probe.icmp(sequence: $0, timeout: .seconds(100)) }
        let sent = probes.map { table.add($0, at: .zero) }
        #expect(sent[0].sequence == sent[65_536].sequence)
        for index in probes.indices.reversed() {
            let (sequence, cookie) = sent[index]
            let verdict = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(1))
            #expect(verdict == .reply(probes[index], roundTrip: .seconds(1)))
        }
    }

    @Test func `a late reply does not count for the new probe of its slot`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, old) = table.add(.icmp(), at: .zero)
        #expect(table.expire(at: .seconds(1)).map(\.probe) == [.icmp()])
        #expect(table.expire(at: .seconds(1) + EchoTable.retention).isEmpty)
        #expect(table.count == 0)
        let (_, new) = table.add(.icmp(), at: .seconds(20))
        #expect(new.slot == old.slot)
        #expect(table.reply(sequence: sequence, cookie: old, from: here, at: .seconds(20)) == .unmatched)
    }

    @Test func `only the newest ended requests are kept`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let sent = (0...EchoTable.maxEnded).map { table.add(.icmp(sequence: $0 + 1), at: .zero) }
        for (sequence, cookie) in sent {
            _ = table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero)
        }
        #expect(table.count == EchoTable.maxEnded)
        let (_, next) = table.add(.icmp(), at: .zero)
        #expect(next.slot == sent[0].cookie.slot)
        let (sequence, newest) = sent[EchoTable.maxEnded]
        let again = table.reply(sequence: sequence, cookie: newest, from: here, at: .zero)
        #expect(again == .duplicate(Probe.icmp(sequence: EchoTable.maxEnded + 1).watch))
    }

    @Test func `discarded requests end without a report`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.add(.icmp(), at: .zero)
        table.discardInFlight(at: .seconds(9))
        #expect(table.nextDeadline == nil)
        #expect(table.expire(at: .seconds(9)).isEmpty)
        #expect(table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(9)) == .unmatched)
    }

    @Test func `a request that could not be sent has no deadline`() {
        var table = EchoTable()
        let (_, cookie) = table.add(.icmp(), at: .zero)
        table.withdraw(cookie, at: .zero)
        #expect(table.nextDeadline == nil)
        #expect(table.expire(at: .seconds(60)).isEmpty)
        #expect(table.count == 0)
    }
}
