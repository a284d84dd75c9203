extension String {
    /// The candidate nearest to this misspelled word; nil if none is near. A candidate is near if its distance is at
    /// most a third of its letters. The distance counts insertions, deletions, replacements and swaps of neighbours
    /// (the optimal string alignment distance).
    public func nearest(of candidates: some Sequence<String>) -> String? {
        let word = lowercased()
        return
            candidates
            .map { (candidate: $0, distance: word.distance(to: $0.lowercased())) }
            .filter { $0.distance <= Swift.max(1, Swift.max(word.count, $0.candidate.count) / 3) }
            .min { $0.distance < $1.distance }?
            .candidate
    }

    private func distance(to other: String) -> Int {
        let (one, two) = (Array(self), Array(other))
        guard !one.isEmpty, !two.isEmpty else { return Swift.max(one.count, two.count) }
        var beforeLast: [Int] = []
        var last = Array(0...two.count)
        for row in 1...one.count {
            var current = [row]
            for column in 1...two.count {
                let replaced = last[column - 1] + (one[row - 1] == two[column - 1] ? 0 : 1)
                var best = Swift.min(last[column] + 1, current[column - 1] + 1, replaced)
                if row > 1, column > 1, one[row - 1] == two[column - 2], one[row - 2] == two[column - 1] {
                    best = Swift.min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[two.count]
    }
}
