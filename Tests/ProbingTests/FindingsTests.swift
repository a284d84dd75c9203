import Monitoring
import TestSupport
import Testing

@testable import Probing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct FindingsTests {
    private func findings(_ range: Range<Int>) -> [Finding] {
        range.map { .late(Target.ID($0), roundTrip: .seconds(2), sent: .zero) }
    }

    @Test func `all pending findings are delivered in one batch`() async {
        let buffer = FindingBuffer()
        #expect(buffer.append(findings(0..<3)) == 0)
        #expect(buffer.append(findings(3..<5)) == 0)
        var iterator = Findings(buffer: buffer).makeAsyncIterator()
        #expect(await iterator.next() == findings(0..<5))
        buffer.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func `findings from before the end are still delivered`() async {
        let buffer = FindingBuffer()
        _ = buffer.append(findings(0..<1))
        buffer.finish()
        var iterator = Findings(buffer: buffer).makeAsyncIterator()
        #expect(await iterator.next() == findings(0..<1))
        #expect(await iterator.next() == nil)
    }

    @Test func `a slow consumer loses the oldest findings`() {
        let buffer = FindingBuffer(capacity: 100)
        #expect(buffer.append(findings(0..<100)) == 0)
        #expect(buffer.append(findings(100..<101)) == 11)
        #expect(buffer.removeAll() == findings(11..<101))
        #expect(buffer.append(findings(0..<1_000)) == 910)
        #expect(buffer.removeAll() == findings(910..<1_000))
    }
}
