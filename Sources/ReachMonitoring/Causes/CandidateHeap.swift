/// A possible place of a cause, with the gain that it promises.
struct Candidate: Sendable {
    let row: RiskIndex.Number
    /// How much better the outages are explained with this cause than without, or an upper limit of it.
    var gain: Int
    /// The number of targets behind the whole risk that are up.
    let up: Int32
    /// The order in which risks appeared.
    let serial: UInt32

    /// Whether this one is examined first: the one with the greater gain; of equal ones that with less up behind it.
    @inline(__always)
    func precedes(_ other: Candidate) -> Bool {
        if gain != other.gain { return gain > other.gain }
        if up != other.up { return up < other.up }
        return serial < other.serial
    }
}

/// A binary heap of candidates, the best one first.
struct CandidateHeap: Sendable {
    private var candidates: [Candidate] = []

    init(_ candidates: [Candidate]) {
        self.candidates = candidates
        for index in stride(from: candidates.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    var first: Candidate? { candidates.first }

    mutating func popFirst() -> Candidate? {
        guard let first = candidates.first else { return nil }
        let last = candidates.removeLast()
        if !candidates.isEmpty {
            candidates[0] = last
            sink(0)
        }
        return first
    }

    mutating func insert(_ candidate: Candidate) {
        candidates.append(candidate)
        var index = candidates.count - 1
        while index > 0, candidates[index].precedes(candidates[(index - 1) / 2]) {
            candidates.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        candidates.withUnsafeMutableBufferPointer { heap in
            var index = start
            while true {
                var best = index
                for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].precedes(heap[best])
                {
                    best = child
                }
                guard best != index else { return }
                heap.swapAt(index, best)
                index = best
            }
        }
    }
}
