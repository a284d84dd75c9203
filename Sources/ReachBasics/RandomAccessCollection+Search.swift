extension RandomAccessCollection {
    /// The index of the first element for which a predicate is true; the end index if there is none. It is false for all
    /// elements before that one, and true for all after it, so that a binary search finds it (the name is that of
    /// swift-algorithms).
    @inlinable package func partitioningIndex(where isAfter: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isAfter(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
