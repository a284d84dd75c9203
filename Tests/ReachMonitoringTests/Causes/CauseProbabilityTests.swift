import TestSupport
import Testing

@testable import ReachMonitoring

struct CauseProbabilityTests {
    private func isClose(_ one: Double, _ other: Double, _ tolerance: Double = 1e-10) -> Bool {
        abs(one - other) <= tolerance * max(1, abs(other))
    }

    @Test
    func `Logarithms and exponentials`() {
        #expect(isClose(Logarithms.log(2), 0.693_147_180_559_945_3, 1e-15))
        #expect(isClose(Logarithms.log(10), 2.302_585_092_994_045_7, 1e-15))
        #expect(isClose(Logarithms.log(1e-300), -690.775_527_898_213_7, 1e-14))
        #expect(Logarithms.log(0) == -.infinity)
        #expect(isClose(Logarithms.exp(1), 2.718_281_828_459_045, 1e-15))
        #expect(Logarithms.exp(-1_000) == 0)
        for x in stride(from: -700.0, through: 700, by: 13.7) {
            #expect(isClose(Logarithms.log(Logarithms.exp(x)), x, 1e-12))
        }
        #expect(isClose(Logarithms.logSum(Logarithms.log(3), Logarithms.log(4)), Logarithms.log(7)))
        #expect(Logarithms.logSum(-.infinity, -.infinity) == -.infinity)
    }

    @Test
    func `The gamma function of whole numbers is a factorial`() {
        var factorial = 1.0
        for n in 1...60 {
            #expect(isClose(Logarithms.logGamma(Double(n)), Logarithms.log(factorial), 1e-11), "\(n)")
            factorial *= Double(n)
        }
        #expect(isClose(Logarithms.logGamma(0.5), 0.572_364_942_924_700_1, 1e-11))
        #expect(isClose(Logarithms.exp(Logarithms.logChoose(10, 3)), 120, 1e-10))
        #expect(Logarithms.logChoose(5, 0) == 0)
    }

    /// Adds the probability of every sequence of an urn: Pólya's, in which each draw makes its kind more likely.
    private func urn(failures: Double, successes: Double, of n: Int, atLeast k: Int) -> Double {
        (0..<(1 << n)).reduce(0.0) { sum, sequence in
            guard sequence.nonzeroBitCount >= k else { return sum }
            var (failed, succeeded, probability) = (failures, successes, 1.0)
            for place in 0..<n {
                if sequence >> place & 1 == 1 {
                    probability *= failed / (failed + succeeded)
                    failed += 1
                } else {
                    probability *= succeeded / (failed + succeeded)
                    succeeded += 1
                }
            }
            return sum + probability
        }
    }

    @Test
    func `The tail of the beta-binomial distribution is that of an urn`() {
        for (failures, successes) in [(1.0, 1.0), (1, 19), (3, 4), (0.5, 120), (40, 2)] {
            let distribution = BetaBinomial(failures: failures, successes: successes)
            for n in 1...9 {
                for k in 0...n {
                    let exact = urn(failures: failures, successes: successes, of: n, atLeast: k)
                    #expect(isClose(Logarithms.exp(distribution.logTail(k, of: n)), exact, 1e-9), "\(k) of \(n)")
                }
            }
        }
        // Any number is equally likely if nothing is known.
        #expect(isClose(Logarithms.exp(BetaBinomial(failures: 1, successes: 1).logTail(8, of: 10)), 3.0 / 11))
        #expect(BetaBinomial(failures: 1, successes: 1).logTail(4, of: 3) == -.infinity)
    }

    @Test
    func `The hypergeometric tail counts selections`() {
        for population in 1...9 {
            for marked in 0...population {
                for selected in 0...population {
                    let selections = (0..<(1 << population)).filter { $0.nonzeroBitCount == selected }
                    for k in 0...selected {
                        let hits = selections.filter { ($0 & ((1 << marked) - 1)).nonzeroBitCount >= k }.count
                        let distribution = Hypergeometric(population: population, marked: marked, selected: selected)
                        let exact = Double(hits) / Double(selections.count)
                        #expect(
                            isClose(Logarithms.exp(distribution.logTail(k)), exact, 1e-9),
                            "\(k) of \(selected), \(marked) of \(population)"
                        )
                    }
                }
            }
        }
    }

    @Test
    func `Extremes neither overflow nor underflow`() {
        let rare = BetaBinomial(failures: 1, successes: 1e9)
        #expect(rare.logTail(10_000, of: 10_000) < -90_000)
        #expect(rare.logTail(9_000, of: 10_000).isFinite)
        #expect(BetaBinomial(failures: 9_000, successes: 1_000).logTail(1, of: 10_000) > -1e-9)
        let chance = OutageRate().logChance(of: 10_000, of: 10_000, outside: (0, 0), window: 11)
        #expect(chance < -20 && chance.isFinite)
    }

    @Test
    func `Experience makes outages together less likely by chance`() {
        var background = OutageRate()
        let before = background.logChance(of: 3, of: 3, outside: (0, 100), window: 11)
        background.advance(by: .seconds(86_400), targets: 100)
        let after = background.logChance(of: 3, of: 3, outside: (0, 100), window: 11)
        #expect(after < before - 5)
        let storm = background.logChance(of: 3, of: 3, outside: (30, 70), window: 11)
        #expect(storm > before)
        background.countOutages(1_000)
        #expect(background.logChance(of: 3, of: 3, outside: (0, 100), window: 11) > after)
    }

    @Test
    func `The moment that most outages share`() {
        var random = SplitMix(seed: 3)
        for _ in 0..<2_000 {
            let spans = (0..<Int(1 + random.next() % 7)).map { _ in
                let start = Int(random.next() % 12)
                return OnsetSpan(
                    earliest: Moment(.seconds(start)),
                    latest: Moment(.seconds(start + Int(random.next() % 6)))
                )
            }
            let found = OnsetSpan.densest(of: spans)
            let sizes = spans.map { moment in
                spans.filter { $0.earliest <= moment.latest && $0.latest >= moment.latest }.count
            }
            let moment = zip(spans, sizes).filter { $0.1 == sizes.max() }.map(\.0.latest).max() ?? .zero
            let expected = spans.filter { $0.earliest <= moment && $0.latest >= moment }
            #expect(found.earliest == expected.map(\.earliest).max())
            #expect(found.latest == expected.map(\.latest).min())
        }
    }

    @Test
    func `Words for places`() {
        let position = { SilentPosition(after: "10.1.0.1", number: $0) }
        #expect(position(1).words(before: "10.2.0.1") == "silent hop between 10.1.0.1 and 10.2.0.1")
        #expect(position(2).words(before: nil) == "2nd silent hop after 10.1.0.1")
        #expect(position(3).words(before: nil) == "3rd silent hop after 10.1.0.1")
        #expect(position(11).words(before: nil) == "11th silent hop after 10.1.0.1")
        #expect(position(21).words(before: nil) == "21st silent hop after 10.1.0.1")
        #expect(SilentPosition(after: nil, number: 1).words(before: "10.2.0.1") == "silent hop from here")
    }
}
