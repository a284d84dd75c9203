/// What is to be said about one hop of a path.
public enum HopWord: Sendable, Hashable {
    /// Nothing is wrong.
    case ok
    /// Much of the round trip to the destination, or of its growth, is added here.
    case slow
    /// Packets are lost before this hop: its loss in percent goes on to the destination.
    case loses(percent: Int)
    /// The router answers fewer probes than it forwards packets. No packet to the destination is lost here.
    case limitsAnswers
    /// The hop does not answer.
    case silent
    /// Packets return to this router.
    case loop
    /// Another router answers since this time.
    case changed(at: Duration)
    /// The machine answers for an address that is not its own.
    case answersForAnotherAddress

    /// Whether this is a fault of the path, to be shown in red. What only concerns a hop's own answers is none.
    public var isFault: Bool {
        switch self {
        case .loses, .loop: true
        case .ok, .slow, .limitsAnswers, .silent, .changed, .answersForAnotherAddress: false
        }
    }

    /// The name in JSON.
    public var kind: String {
        switch self {
        case .ok: "ok"
        case .slow: "slow"
        case .loses: "loses"
        case .limitsAnswers: "limits"
        case .silent: "silent"
        case .loop: "loop"
        case .changed: "changed"
        case .answersForAnotherAddress: "another_address"
        }
    }

    /// The words. `clock` writes a time since the start of the program as a time of day.
    public func text(clock: (Duration) -> String) -> String {
        switch self {
        case .ok: "ok"
        case .slow: "slow"
        case .loses(let percent): "loses \(percent) %"
        case .limitsAnswers: "limits its answers"
        case .silent: "silent"
        case .loop: "loop"
        case .changed(let time): "changed \(clock(time))"
        case .answersForAnotherAddress: "answers for another address"
        }
    }
}

extension PathTrace {
    /// How long a change is mentioned.
    static let changeMention = Duration.seconds(3_600)

    /// Returns the word for each hop of ``hops(flow:)`` at `time`.
    public func words(at time: Duration, flow: Int = 0) -> [HopWord] {
        let hops = self.hops(flow: flow)
        let loop = loop(flow: flow)
        let lastCurrent = hops.lastIndex { isCurrent($0) } ?? -1
        let losses = lossWords(of: hops, flow: flow)
        let slow = slowHops(of: hops, flow: flow)
        return hops.indices.map { index in
            let hop = hops[index]
            if let loop, index + 1 >= loop.first, isCurrent(hop) { return .loop }
            if hop.isAnsweredForAnother(destination), isCurrent(hop) { return .answersForAnotherAddress }
            if hop.address == nil || hop.isQuiet || index > lastCurrent { return .silent }
            if let word = losses[index], word.isFault { return word }
            if slow.contains(index) { return .slow }
            if let change = hop.lastChange, time - change < Self.changeMention { return .changed(at: change) }
            return losses[index] ?? .ok
        }
    }

    /// The losses that go on to the destination, and the limits of answers, by the index of the hop.
    ///
    /// The loss of the way to a hop never falls from hop to hop, and a hop's own limit only adds to it. So the hops
    /// are compared from the destination back: what goes on is the loss of the destination, until a hop loses less. A
    /// hop that loses more than what goes on behind it limits its answers. Where that is uncertain, it is not called
    /// lossy: the loss is then shown one hop further.
    private func lossWords(of hops: ArraySlice<PathHop>, flow: Int) -> [Int: HopWord] {
        guard let last = hops.lastIndex(where: { $0.address != nil && !$0.isQuiet && !$0.history.isEmpty }) else {
            return [:]
        }
        var words: [Int: HopWord] = [:]
        let isReached = destinationHop(flow: flow) == last + 1
        var passed = LossTest.Sample(hops[last].history)
        var isLossy = isReached && LossTest.isLossy(passed)
        if isLossy { words[last] = .loses(percent: passed.percent) }
        for index in hops[..<last].indices.reversed() where hops[index].address != nil && !hops[index].isQuiet {
            let sample = LossTest.Sample(hops[index].history)
            guard sample.finished > 0 else { continue }
            let excess = LossTest.probability(of: sample, losingAsMuchAs: passed)
            if excess < LossPolicy.possibleExcess {
                if excess < LossPolicy.certainExcess, LossTest.isLossy(sample) { words[index] = .limitsAnswers }
                continue
            }
            if isLossy, sample.finished >= LossPolicy.leastProbes, LossTest.isLossy(sample) {
                words[index] = .loses(percent: sample.percent)
            }
            if LossTest.probability(of: passed, losingAsMuchAs: sample) < LossPolicy.certainExcess {
                passed = sample
            } else {
                passed = passed + sample
            }
            isLossy = isLossy && LossTest.isLossy(passed)
        }
        // What is lost before a hop is lost at all later ones, also where it is uncertain how much they add.
        if let first = words.filter({ $0.value.isFault }).keys.min() {
            for index in hops[first...last].indices where words[index] == nil && hops[index].address != nil {
                let sample = LossTest.Sample(hops[index].history)
                if LossTest.isLossy(sample) { words[index] = .loses(percent: sample.percent) }
            }
        }
        return words
    }

    /// The probabilities at which two losses are taken to differ, and the smallest sample that says where packets are
    /// lost.
    private enum LossPolicy {
        static let certainExcess = 0.02
        static let possibleExcess = 0.1
        static let leastProbes = 30
    }

    /// The round trip that a hop adds, from which on it is slow.
    static let slowRoundTrip = Duration.milliseconds(100)
    /// The growth of the round trip since the best one, from which on a hop is slow.
    static let slowGrowth = Duration.milliseconds(30)
    private static let leastRoundTrips = 5

    /// The hops that add much to the round trip of the destination.
    ///
    /// What a hop adds counts only as far as all later hops and the destination have it as well: the way back may
    /// differ from hop to hop, and routers answer slower than they forward.
    private func slowHops(of hops: ArraySlice<PathHop>, flow: Int) -> Set<Int> {
        guard let number = destinationHop(flow: flow), hops.indices.contains(number - 1),
            isCurrent(hops[number - 1])
        else { return [] }
        var slow: Set<Int> = []
        var steps: [(index: Int, roundTrip: Duration, best: Duration)] = []
        var (least, leastBest) = (Duration.seconds(Int64.max), Duration.seconds(Int64.max))
        for index in hops[..<number].indices.reversed() {
            guard let roundTrip = hops[index].recentRoundTrip(least: Self.leastRoundTrips), let best = hops[index].best
            else {
                // Without the destination's round trip, nothing is known to go on.
                if index == number - 1 { return [] }
                continue
            }
            least = min(least, roundTrip)
            leastBest = min(leastBest, best)
            steps.append((index, least, leastBest))
        }
        let whole = leastBestOfDestination(hops, number)
        var (before, growthBefore) = (Duration.zero, Duration.zero)
        for step in steps.reversed() {
            let growth = step.roundTrip - step.best
            let isGrown = growth - growthBefore >= max(Self.slowGrowth, whole)
            if step.roundTrip - before >= Self.slowRoundTrip || isGrown { slow.insert(step.index) }
            (before, growthBefore) = (step.roundTrip, max(growth, growthBefore))
        }
        return slow
    }

    private func leastBestOfDestination(_ hops: ArraySlice<PathHop>, _ number: Int) -> Duration {
        hops[number - 1].best ?? .zero
    }
}

extension PathHop {
    /// Whether no probe in the history was answered.
    var isQuiet: Bool { !history.isEmpty && history.allSatisfy(\.isLost) }

    /// Whether the newest answer is one for an address that the machine does not have.
    fileprivate func isAnsweredForAnother(_ destination: PathDestination) -> Bool {
        switch answer {
        case .reached: source.map { !destination.isAnswered(by: $0) } ?? false
        case .unreachable(.refused): true
        case .exceeded, .unreachable, .tooBig, nil: false
        }
    }

    /// The median of the newest 30 round trips; nil if there are fewer than `least`.
    fileprivate func recentRoundTrip(least: Int) -> Duration? {
        let sorted = history.suffix(30).compactMap(\.roundTrip).sorted()
        return sorted.count < least ? nil : sorted[sorted.count / 2]
    }
}

extension LossTest.Sample {
    fileprivate var percent: Int { max(1, Int((rate * 100).rounded())) }
}
