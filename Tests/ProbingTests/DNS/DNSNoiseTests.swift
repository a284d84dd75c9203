import Monitoring
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct DNSNoiseTests {
    /// Random numbers that are the same in every run (SplitMix64).
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    @Test func `two hundred thousand random and mutated packets do no harm`() async throws {
        var generator = Seeded(state: 7)
        let name = try #require(DNSName("www.example.com"))
        let records: [DNSMessage.Record] = [
            .alias(to: "a.example"), .init(owner: [0xC0, 0x2D], type: 15, value: [0, 1] + wire("b.example")),
            .a(192, 0, 2, 1), .init(type: 16, value: [3, 97, 98, 99, 0]),
            .init(type: 6, value: [0xC0, 0x0C, 0xC0, 0x10] + Array(repeating: 1, count: 20)),
            .init(type: 33, value: [0, 1, 0, 2, 0, 3, 0xC0, 0x0C]),
        ]
        let types = DNSQuestion.RecordType.allCases
        let queries = types.map { DNSQuery(id: 0xBEEF, name: name, type: $0) }
        let bare = queries.map { DNSMessage.answer(to: $0.message) }
        let whole = queries.map { DNSMessage.answer(to: $0.message, records: records) }
        var readings: [String: Int] = [:]
        for round in 0..<200_000 {
            // Other tests wait for this thread, and have deadlines.
            if round.isMultiple(of: 1_000) { await Task.yield() }
            let index = round % types.count
            let (query, type) = (queries[index], types[index])
            var message: [UInt8]
            switch round % 4 {
            case 0:
                message = generator.bytes()
            case 1:
                // A whole header and question, and noise behind them.
                message = bare[index]
                message[7] = 9
                message += generator.bytes()
            default:
                message = whole[index]
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 12..<message.count, using: &generator)
                    message[place] = round % 8 < 4 ? 0xC0 : UInt8.random(in: .min ... .max, using: &generator)
                }
                if round % 5 == 0 { message.removeLast(Int.random(in: 0..<message.count, using: &generator)) }
            }
            let reading = query.read(message)
            switch reading {
            case .answer(let answer):
                readings["answer", default: 0] += 1
                let question = DNSQuestion(server: .system, name: "www.example.com", type: type, answer: "x")
                guard case .failure(let failure) = DNSVerdict(on: answer, to: question, under: name) else { continue }
                if failure.detail.count > 60 { Issue.record("\(failure)") }
                let isPrintable = failure.detail.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
                if !isPrintable { Issue.record("\(failure)") }
            case .malformed:
                readings["malformed", default: 0] += 1
            case .noise:
                readings["noise", default: 0] += 1
            case .truncated:
                break
            }
        }
        // Every way through the reader was taken often.
        for kind in ["answer", "malformed", "noise"] { #expect(readings[kind, default: 0] > 5_000, "\(readings)") }
    }

    @Test func `the worst message that fits is read in no time`() throws {
        // As many records as possible, each with a name in as many and as long pieces as possible.
        let name = try #require(DNSName("www.example.com"))
        let query = DNSQuery(id: 1, name: name, type: .cname)
        let start = 12 + name.wire.count + 4 + 12
        var chain: [UInt8] = []
        for hop in 0..<DNSReader.mostHops - 1 {
            let earlier = hop == 0 ? 12 : start + chain.count - 4
            chain += [1, 97] + (0xC000 | UInt16(earlier)).inNetworkOrder
        }
        var records = [DNSMessage.Record(type: 999, value: chain)]
        let last = (0xC000 | UInt16(start + chain.count - 4)).inNetworkOrder
        for _ in 0..<4_000 { records.append(DNSMessage.Record(owner: last, type: 5, value: last)) }
        let message = DNSMessage.answer(to: query.message, records: records)
        let before = ContinuousClock.now
        guard case .answer(let answer) = query.read(message) else {
            Issue.record("not read")
            return
        }
        #expect(answer.records.last?.name.labels.count == DNSReader.mostHops - 1 + 3)
        // A debug build takes some milliseconds.
        #expect(ContinuousClock.now - before < .seconds(1))
    }
}

extension RandomNumberGenerator {
    /// Up to ten words of noise.
    fileprivate mutating func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...10, using: &self) {
            withUnsafeBytes(of: next()) { bytes += $0 }
        }
        bytes.removeLast(min(bytes.count, Int.random(in: 0..<8, using: &self)))
        return bytes
    }
}
