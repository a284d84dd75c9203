import Monitoring
import Testing

@testable import Probing

struct EchoTableTests {
    private let here = IPAddress(literal: "192.0.2.1")
    private let elsewhere = IPAddress(literal: "192.0.2.2")

    @Test func `a reply answers its request once`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.ask(.icmp(), at: .seconds(1))
        #expect(table.nextDeadline == .seconds(2))
        #expect(
            table.reply(sequence: sequence, cookie: cookie, from: here, at: .milliseconds(1_020))
                == .answer(.icmp(), roundTrip: .milliseconds(20))
        )
        #expect(table.nextDeadline == nil)
        #expect(
            table.reply(sequence: sequence, cookie: cookie, from: here, at: .milliseconds(1_021))
                == .duplicate(EndedProbe(.icmp()))
        )
        #expect(table.expire(at: .seconds(5)).isEmpty)
    }

    @Test func `a reply from another address, by another sequence or another cookie is nobody's`() throws {
        var table = EchoTable(process: 7)
        let (here, elsewhere) = (try #require(here), try #require(elsewhere))
        let (sequence, cookie) = table.ask(.icmp(), at: .zero)
        let foreign = EchoCookie(process: 8, slot: cookie.slot, generation: cookie.generation)
        let outside = EchoCookie(process: 7, slot: .max, generation: 0)
        let older = EchoCookie(process: 7, slot: cookie.slot, generation: cookie.generation &- 1)
        for cookie in [foreign, outside, older] {
            #expect(table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero) == .notOurs)
        }
        #expect(table.reply(sequence: sequence, cookie: cookie, from: elsewhere, at: .zero) == .notOurs)
        #expect(table.reply(sequence: sequence &+ 1, cookie: cookie, from: here, at: .zero) == .notOurs)
        let verdict = table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero)
        #expect(verdict == .answer(.icmp(), roundTrip: .zero))
    }

    @Test func `a reply to an earlier request of the same slot and sequence is nobody's`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.ask(.icmp(), at: .zero)
        var now = Duration.zero
        table.withdraw(cookie, at: now)
        // One slot is used over and over, until the sequence is the same again.
        for _ in 0..<1 << 16 {
            now += EchoTable.memory
            _ = table.expire(at: now)
            let (later, next) = table.ask(.icmp(target: 1), at: now)
            try #require(next.slot == cookie.slot)
            guard later == sequence else {
                table.withdraw(next, at: now)
                continue
            }
            #expect(next.generation != cookie.generation)
            #expect(table.asked(cookie) == nil)
            #expect(table.reply(sequence: sequence, cookie: cookie, from: here, at: now) == .notOurs)
            table.withdraw(cookie, at: now)
            #expect(table.nextDeadline == now + .seconds(1), "nothing was withdrawn")
            let answer = table.reply(sequence: sequence, cookie: next, from: here, at: now)
            #expect(answer == .answer(.icmp(target: 1), roundTrip: .zero))
            return
        }
        Issue.record("the sequence never came again")
    }

    @Test func `a reply after the timeout is late, and the next a duplicate`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.ask(.icmp(), at: .zero)
        #expect(table.expire(at: .milliseconds(999)).isEmpty)
        #expect(table.expire(at: .seconds(1)) == [.icmp()])
        let late = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(2))
        #expect(late == .late(EndedProbe(.icmp())))
        let second = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(2))
        #expect(second == .duplicate(EndedProbe(.icmp())))
    }

    @Test func `a reply after its deadline is late even before anybody noticed`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.ask(.icmp(), at: .zero)
        let late = table.reply(sequence: sequence, cookie: cookie, from: here, at: .milliseconds(1_001))
        #expect(late == .late(EndedProbe(.icmp())))
        #expect(table.expire(at: .milliseconds(1_002)) == [.icmp()])
    }

    @Test func `many probes of one target may be under way, and more than sixteen bits can count`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let probes = (1...70_000).map { Probe.icmp(sequence: $0, timeout: .seconds(100)) }
        let asked = probes.map { table.ask($0, at: .zero) }
        #expect(asked[0].sequence == asked[65_536].sequence)
        for index in probes.indices.reversed() {
            let (sequence, cookie) = asked[index]
            let verdict = table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(1))
            #expect(verdict == .answer(probes[index], roundTrip: .seconds(1)))
        }
    }

    @Test func `slots are used again, and an old reply is not credited to the new probe`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, old) = table.ask(.icmp(), at: .zero)
        #expect(table.expire(at: .seconds(1)) == [.icmp()])
        #expect(table.expire(at: .seconds(1) + EchoTable.memory).isEmpty)
        #expect(table.count == 0)
        let (_, new) = table.ask(.icmp(), at: .seconds(20))
        #expect(new.slot == old.slot)
        #expect(table.reply(sequence: sequence, cookie: old, from: here, at: .seconds(20)) == .notOurs)
    }

    @Test func `of many requests that have ended only the newest are remembered`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let asked = (0...EchoTable.mostEnded).map { table.ask(.icmp(sequence: $0 + 1), at: .zero) }
        for (sequence, cookie) in asked {
            _ = table.reply(sequence: sequence, cookie: cookie, from: here, at: .zero)
        }
        #expect(table.count == EchoTable.mostEnded)
        let (_, next) = table.ask(.icmp(), at: .zero)
        #expect(next.slot == asked[0].cookie.slot)
        let (sequence, newest) = asked[EchoTable.mostEnded]
        let again = table.reply(sequence: sequence, cookie: newest, from: here, at: .zero)
        #expect(again == .duplicate(EndedProbe(.icmp(sequence: EchoTable.mostEnded + 1))))
    }

    @Test func `void requests end without a word`() throws {
        var table = EchoTable()
        let here = try #require(here)
        let (sequence, cookie) = table.ask(.icmp(), at: .zero)
        table.void(at: .seconds(9))
        #expect(table.nextDeadline == nil)
        #expect(table.expire(at: .seconds(9)).isEmpty)
        #expect(table.reply(sequence: sequence, cookie: cookie, from: here, at: .seconds(9)) == .notOurs)
    }

    @Test func `a request that could not be sent has no deadline`() {
        var table = EchoTable()
        let (_, cookie) = table.ask(.icmp(), at: .zero)
        table.withdraw(cookie, at: .zero)
        #expect(table.nextDeadline == nil)
        #expect(table.expire(at: .seconds(60)).isEmpty)
        #expect(table.count == 0)
    }
}
