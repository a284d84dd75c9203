/// The number of failures among targets that fail independently, with a rate that is only estimated.
///
/// The rate has a beta distribution: `failures` and `successes` seen so far. The number of failures then has a
/// beta-binomial distribution. For whole numbers this is the negative hypergeometric distribution: the hypergeometric
/// test, where the rate is taken from the other targets, plus what was known before.
struct BetaBinomial: Sendable {
    var failures: Double
    var successes: Double

    /// The same after more failures and successes were seen.
    func updated(failures more: Int, successes others: Int) -> BetaBinomial {
        BetaBinomial(failures: failures + Double(more), successes: successes + Double(others))
    }

    /// The logarithm of the probability of exactly `k` failures of `n`.
    func logProbability(of k: Int, of n: Int) -> Double {
        Logarithms.logChoose(n, k) + logBeta(failures + Double(k), successes + Double(n - k))
            - logBeta(failures, successes)
    }

    /// The logarithm of the probability of at least `k` failures of `n`.
    func logTail(_ k: Int, of n: Int) -> Double {
        guard k > 0 else { return 0 }
        guard k <= n else { return -.infinity }
        var (term, sum) = (1.0, 1.0)
        for value in k..<n {
            let (failed, remaining) = (Double(value), Double(n - value))
            term *= remaining / (failed + 1) * (failures + failed) / (successes + remaining - 1)
            sum += term
            if term < sum * 1e-12, failed > Double(n) * failures / (failures + successes) { break }
        }
        return min(0, logProbability(of: k, of: n) + Logarithms.log(sum))
    }

    private func logBeta(_ a: Double, _ b: Double) -> Double {
        Logarithms.logGamma(a) + Logarithms.logGamma(b) - Logarithms.logGamma(a + b)
    }
}
