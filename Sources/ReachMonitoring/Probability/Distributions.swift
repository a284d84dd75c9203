/// The number of marked ones in a random selection: the distribution of Fisher's exact test.
struct Hypergeometric: Sendable {
    /// The size of the population.
    var population: Int
    /// The number of marked ones in it.
    var marked: Int
    /// The size of the selection.
    var selected: Int

    /// The logarithm of the probability that at least `k` of the selection are marked.
    func logTail(_ k: Int) -> Double {
        let (low, high) = (max(0, marked + selected - population), min(marked, selected))
        guard k > low else { return 0 }
        guard k <= high else { return -.infinity }
        let first =
            Logarithms.logChoose(marked, k) + Logarithms.logChoose(population - marked, selected - k)
            - Logarithms.logChoose(population, selected)
        var (term, sum) = (1.0, 1.0)
        for value in k..<high {
            term *= Double(marked - value) * Double(selected - value)
            term /= Double(value + 1) * Double(population - marked - selected + value + 1)
            sum += term
        }
        return min(0, first + Logarithms.log(sum))
    }
}

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
