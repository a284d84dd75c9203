import Monitoring
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct FindingsTests {
    private func findings(_ range: Range<Int>) -> [Finding] {
        range.map { .late(Target.ID($0)) }
    }

    @Test func `whatever has come in crosses in one batch`() async {
        let basket = FindingBasket()
        #expect(basket.leave(findings(0..<3)) == 0)
        #expect(basket.leave(findings(3..<5)) == 0)
        var iterator = Findings(basket: basket).makeAsyncIterator()
        #expect(await iterator.next() == findings(0..<5))
        basket.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `what was left before the end is still taken`() async {
        let basket = FindingBasket()
        _ = basket.leave(findings(0..<1))
        basket.close()
        var iterator = Findings(basket: basket).makeAsyncIterator()
        #expect(await iterator.next() == findings(0..<1))
        #expect(await iterator.next() == nil)
    }

    @Test func `a consumer that does not come loses the oldest`() {
        let basket = FindingBasket(capacity: 100)
        #expect(basket.leave(findings(0..<100)) == 0)
        #expect(basket.leave(findings(100..<101)) == 11)
        #expect(basket.take() == findings(11..<101))
        #expect(basket.leave(findings(0..<1_000)) == 910)
        #expect(basket.take() == findings(910..<1_000))
    }
}
