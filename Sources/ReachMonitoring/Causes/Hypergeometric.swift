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
