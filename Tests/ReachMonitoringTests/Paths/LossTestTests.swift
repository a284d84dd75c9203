import Testing

@testable import ReachMonitoring

struct LossTestTests {
    private func sample(_ lost: Int, of finished: Int) -> LossTest.Sample { .init(lost: lost, finished: finished) }

    @Test func `the binomial test has the values of tables`() {
        // P(X ≥ 1) = 1 - 0.99^10, P(X ≥ 2) = 1 - 0.99^10 - 10 · 0.01 · 0.99^9.
        #expect(abs(LossTest.upperTail(of: sample(1, of: 10), rate: 0.01) - 0.095_618) < 1e-6)
        #expect(abs(LossTest.upperTail(of: sample(2, of: 10), rate: 0.01) - 0.004_266) < 1e-6)
        #expect(LossTest.upperTail(of: sample(0, of: 10), rate: 0.01) == 1)
        #expect(!LossTest.isLossy(sample(3, of: 60)))
        #expect(LossTest.isLossy(sample(4, of: 60)))
        #expect(!LossTest.isLossy(sample(1, of: 1)))
    }

    @Test func `Fisher's test has the values of tables`() {
        // Fisher's lady tasting tea: 3 of 4 has p = 17/70, and 4 of 4 has 1/70.
        #expect(abs(LossTest.probability(of: sample(3, of: 4), losingAsMuchAs: sample(1, of: 4)) - 17.0 / 70) < 1e-12)
        #expect(abs(LossTest.probability(of: sample(4, of: 4), losingAsMuchAs: sample(0, of: 4)) - 1.0 / 70) < 1e-12)
        #expect(LossTest.probability(of: sample(0, of: 50), losingAsMuchAs: sample(0, of: 50)) == 1)
        #expect(abs(LossTest.probability(of: sample(0, of: 9), losingAsMuchAs: sample(5, of: 9)) - 1) < 1e-12)
    }

    @Test func `Fisher's test equals the sum of all tables, for all small samples`() {
        func choose(_ n: Int, _ k: Int) -> Double {
            k < 0 || k > n ? 0 : (0..<k).reduce(1.0) { $0 * Double(n - $1) / Double($1 + 1) }
        }
        for (n, m) in [(1, 7), (5, 5), (8, 3), (12, 30)] {
            for one in 0...n {
                for other in 0...m {
                    let lost = one + other
                    let tail = (one...n).reduce(0.0) { $0 + choose(n, $1) * choose(m, lost - $1) } / choose(n + m, lost)
                    let value = LossTest.probability(of: sample(one, of: n), losingAsMuchAs: sample(other, of: m))
                    #expect(abs(value - tail) < 1e-9, "\(one) of \(n), \(other) of \(m)")
                }
            }
        }
    }

    @Test func `large samples neither overflow nor vanish`() {
        let value = LossTest.probability(of: sample(900, of: 2_000), losingAsMuchAs: sample(10_000, of: 25_000))
        #expect(value > 0 && value < 1e-4)
    }
}
