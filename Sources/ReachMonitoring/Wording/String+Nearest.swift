extension String {
    /// The candidate nearest to this misspelled word, for all suggestions of the program; nil if none is near.
    ///
    /// A candidate is near if the distance is at most a quarter of the letters of the shorter word, or one in a word of three
    /// letters or more. A word of four letters or more is near one that begins with it and is up to two letters longer, such as
    /// `match` and `matches`. The distance counts insertions, deletions, replacements and swaps of neighbours (the optimal string
    /// alignment distance). Names that differ only in a number are other names, such as `db1` and `db2`, unless its digits
    /// are swapped.
    public func nearest(of candidates: some Sequence<String>) -> String? {
        let word = lowercased()
        return
            candidates
            .compactMap { candidate in word.nearness(to: candidate.lowercased()).map { (candidate, distance: $0) } }
            .min { $0.distance < $1.distance }?
            .0
    }

    /// The distance to another word, both in lower case; nil if it is not near.
    private func nearness(to other: String) -> Int? {
        guard self != other else { return 0 }
        let shorter = Swift.min(count, other.count)
        guard shorter >= 2, Swift.max(count, other.count) >= 3, !differsInNumber(from: other) else { return nil }
        let distance = distance(to: other)
        if shorter >= 4, distance <= 2, hasPrefix(other) || other.hasPrefix(self) { return distance }
        return distance <= Swift.max(1, shorter / 4) ? distance : nil
    }

    private func differsInNumber(from other: String) -> Bool {
        filter { !$0.isNumber } == other.filter { !$0.isNumber }
            && filter(\.isNumber).sorted() != other.filter(\.isNumber).sorted()
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
