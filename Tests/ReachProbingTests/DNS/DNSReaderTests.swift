import ReachMonitoring
import Testing

@testable import ReachProbing

struct DNSReaderTests {
    /// Reads a name at an offset, and returns it with the offset after it.
    private func name(at position: Int, in message: [UInt8]) -> (String, Int)? {
        var reader = DNSReader(message, at: position)
        return reader.readName().map { ($0.description, reader.position) }
    }

    @Test func `a name may have several compression pointers`() throws {
        // "b" at 0; "a", then 0, at 3; a pointer to that at 7, and "c" before the same at 9.
        let message: [UInt8] = [1, 98, 0, 1, 97, 0xC0, 0, 0xC0, 3, 1, 99, 0xC0, 7, 42]
        #expect(try #require(name(at: 0, in: message)) == ("b", 3))
        #expect(try #require(name(at: 3, in: message)) == ("a.b", 7))
        #expect(try #require(name(at: 7, in: message)) == ("a.b", 9))
        #expect(try #require(name(at: 9, in: message)) == ("c.a.b", 13))
    }

    @Test(
        arguments: [
            // A pointer to itself, to what follows, and two that point at each other.
            ([0xC0, 0], 0),
            ([0xC0, 2, 0], 0),
            ([0xC0, 2, 0xC0, 0], 2),
            // A label before a pointer to that label.
            ([1, 97, 0xC0, 0], 0),
            // Beyond the end, and incomplete.
            ([0, 0xC0, 200], 1),
            ([0, 0xC0], 1),
            ([5, 97], 0),
            ([1, 97], 0),
            ([], 0),
            // The two unused kinds of labels (RFC 6891 §5).
            ([0x40, 0], 0),
            ([0x80, 0], 0),
        ] as [([UInt8], Int)]
    )
    func `an invalid name is rejected`(message: [UInt8], position: Int) {
        var reader = DNSReader(message, at: position)
        #expect(reader.readName() == nil)
        #expect(reader.position == position)
    }

    @Test func `the length limit includes compressed labels`() {
        // Labels of 63 bytes, each followed by a pointer to the one before.
        var message: [UInt8] = [0]
        var offsets = [0]
        for _ in 0..<4 {
            offsets.append(message.count)
            message += [63] + [UInt8](repeating: 97, count: 63) + [0xC0, UInt8(offsets[offsets.count - 2])]
        }
        #expect(name(at: offsets[3], in: message)?.0.utf8.count == 191)
        #expect(name(at: offsets[4], in: message) == nil)
    }

    @Test func `the number of compression pointers is limited`() {
        var message: [UInt8] = [0]
        for hop in 0..<100 {
            message += (0xC000 | UInt16(hop == 0 ? 0 : hop * 2 - 1)).inNetworkOrder
        }
        #expect(name(at: DNSReader.maxPointers * 2 - 1, in: message)?.0 == ".")
        #expect(name(at: DNSReader.maxPointers * 2 + 1, in: message) == nil)
    }

    @Test func `numbers are big-endian and must be complete`() {
        var reader = DNSReader([1, 2, 3, 4, 5, 6, 7, 8])
        #expect(reader.readUInt8() == 1)
        #expect(reader.readUInt16() == 0x0203)
        #expect(reader.readUInt32() == 0x0405_0607)
        #expect(reader.readUInt16() == nil)
        #expect(reader.readBytes(-1) == nil)
        #expect(reader.readUInt8() == 8)
        #expect(reader.readUInt8() == nil)
    }

    @Test func `the most expensive message is parsed quickly`() throws {
        // The maximum number of records, each with the maximum number of pointers in its name.
        let name = try #require(DNSName("www.example.com"))
        let query = DNSQuery(id: 1, name: name, type: .cname)
        let start = 12 + name.wire.count + 4 + 12
        var chain: [UInt8] = []
        for hop in 0..<DNSReader.maxPointers - 1 {
            let earlier = hop == 0 ? 12 : start + chain.count - 4
            chain += [1, 97] + (0xC000 | UInt16(earlier)).inNetworkOrder
        }
        var records = [DNSMessage.Record(type: 999, value: chain)]
        let last = (0xC000 | UInt16(start + chain.count - 4)).inNetworkOrder
        for _ in 0..<4_000 { records.append(DNSMessage.Record(owner: last, type: 5, value: last)) }
        let message = DNSMessage.answer(to: query.message, records: records)
        let before = ContinuousClock.now
        guard case .answer(let answer) = query.parse(message) else {
            Issue.record("not parsed")
            return
        }
        #expect(answer.records.last?.name.labels.count == DNSReader.maxPointers - 1 + 3)
        // A debug build takes some milliseconds.
        #expect(ContinuousClock.now - before < .seconds(1))
    }
}
