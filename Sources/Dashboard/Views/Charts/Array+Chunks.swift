extension Array {
    /// Splits the array into runs of consecutive elements with equal keys, each with its key.
    func chunked<Key: Equatable>(by key: (Element) -> Key) -> [(Key, ArraySlice<Element>)] {
        var chunks: [(Key, ArraySlice<Element>)] = []
        var start = startIndex
        while start < endIndex {
            let first = key(self[start])
            let end = self[start...].firstIndex { key($0) != first } ?? endIndex
            chunks.append((first, self[start..<end]))
            start = end
        }
        return chunks
    }
}
