import Benchmark
import Meter
import NIOCore

// Encoding of probes and parsing of replies. A symbolic link compiles the codecs of `ReachProbing` into this module, so that they
// can stay internal.
let benchmarks: @Sendable () -> Void = {
    Benchmark.configure()
    let count = 1_000

    measure("ICMP: echo request written", items: count, state: { ByteBufferAllocator().buffer(capacity: 128) }) {
        buffer in
        var sum = 0
        for number in 0..<count {
            buffer.clear()
            EchoFixture.packet(.request, number).write(to: &buffer, size: 56)
            sum += Int(buffer.getInteger(at: 2, as: UInt16.self) ?? 0)
        }
        return sum
    }

    measure("ICMP: echo reply read", items: count, state: { EchoFixture.replies(count) }) { replies in
        replies.reduce(0) { sum, reply in
            sum + Int(reply.withUnsafeReadableBytes { EchoPacket(reading: $0, family: .ipv4)?.sequence ?? 0 })
        }
    }

    measure("DNS: query written", items: count, state: { DNSFixture.query() }) { query in
        var sum = 0
        for number in 0..<count {
            query.id = UInt16(number)
            sum += query.message.count
        }
        return sum
    }

    measure("DNS: answer read", items: count, state: { DNSFixture.answers(count) }) { answers in
        answers.reduce(0) { sum, pair in
            guard case .answer(let answer) = pair.query.parse(pair.message) else { return sum }
            return sum + answer.records.count
        }
    }
}
