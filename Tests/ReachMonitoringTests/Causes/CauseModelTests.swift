import TestSupport
import Testing

@testable import ReachMonitoring

/// Random changes: the fast finder and the naive one report the same.
struct CauseModelTests {
    /// A small random network: three levels of routers, some silent.
    static func risks(of target: Int, _ random: inout SplitMix) -> TargetRisks {
        let (a, b, c) = (Int(random.next() % 2), Int(random.next() % 3), Int(random.next() % 3))
        let answers = { (name: String, number: Int) -> String? in number == 1 ? nil : "\(name)\(number)" }
        var path = ["gw", answers("a", a), answers("b\(a)", b), answers("c\(a)\(b)", c)]
        path.removeLast(Int(random.next() % 3))
        var others: [Risk] = []
        if random.next() % 3 == 0 { others.append(.certificate("cert \(random.next() % 2)")) }
        if random.next() % 2 == 0 { others.append(.resolver("resolver \(random.next() % 2)")) }
        if random.next() % 2 == 0 { others.append(.group("group \(target % 4)")) }
        return TargetRisks(path: path, others: others, interval: .seconds([1, 5, 60][Int(random.next() % 3)]))
    }

    @Test(arguments: [true, false], 1...5)
    func `The fast finder equals the naive one`(confirms: Bool, seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var fast = CauseFinder(confirmsHops: confirms)
        var naive = ReferenceFinder(confirmsHops: confirms)
        if seed.isMultiple(of: 2) { (fast.reexamined, naive.reexamined) = (1, 1) }
        let count = 24
        var now = Duration.zero
        var seen = Set<String>()
        for step in 0..<220 {
            now += .milliseconds(Int(random.next() % 4) == 0 ? Int(random.next() % 40_000) : Int(random.next() % 500))
            let target = Int(random.next() % UInt64(count))
            let events: ([CauseEvent], [CauseEvent])
            switch step < count ? 0 : Int(random.next() % 20) {
            case 0:
                let risks = Self.risks(of: step < count ? step : target, &random)
                let target = step < count ? step : target
                events = (
                    fast.setRisks(risks, of: Target.ID(target), at: now), naive.setRisks(risks, of: target, at: now)
                )
            case 1:
                events = (fast.remove(Target.ID(target), at: now), naive.remove(target, at: now))
            case 2, 3, 4:
                // Everything behind one of the target's risks goes down together, with exceptions.
                let keys = naive.members[target]?.keys ?? []
                let key = keys.isEmpty ? nil : keys[Int(random.next() % UInt64(keys.count))]
                let row = random.next() % 2 == 0 ? key?.position ?? key : key
                let behind = row.map { naive.behind($0) } ?? []
                let kind: OutageKind = if case .risk(.certificate) = row { .certificate } else { .noAnswer }
                let changes = behind.sorted().filter { _ in random.next() % 12 != 0 }.map { other in
                    (other, TargetCondition.down(since: now - .milliseconds(Int(random.next() % 900)), kind))
                }
                events = (fast.update(changes.map { (Target.ID($0.0), $0.1) }, at: now), naive.update(changes, at: now))
            case 5:
                // Everything returns.
                let changes = naive.members.keys.sorted().filter { _ in random.next() % 8 != 0 }.map {
                    ($0, TargetCondition.up)
                }
                events = (fast.update(changes.map { (Target.ID($0.0), $0.1) }, at: now), naive.update(changes, at: now))
            case 6, 7, 8, 9:
                guard let suspect = fast.causes.first(where: { $0.stage != .named }),
                    case .suspected(let hops) = suspect.stage,
                    let hop = hops.randomElement(using: &random)
                else {
                    continue
                }
                let answered = random.next() % 3 == 0
                events = (
                    fast.confirm(suspect.id, hop: hop, answered: answered, at: now),
                    naive.confirm(suspect.id.rawValue, hop: hop, answered: answered, at: now)
                )
            default:
                let kinds = OutageKind.allCases
                let condition: TargetCondition =
                    switch random.next() % 8 {
                    case 0, 1, 2: .up
                    case 3: .undecided
                    case 4, 5: .failing
                    default:
                        .down(
                            since: now - .milliseconds(Int(random.next() % 3_000)),
                            kinds[Int(random.next() % UInt64(kinds.count))]
                        )
                    }
                events = (
                    fast.update([(Target.ID(target), condition)], at: now), naive.update([(target, condition)], at: now)
                )
            }
            for event in events.0 { seen.insert(String(String(describing: event).prefix { $0 != "(" })) }
            let sorted = { (events: [CauseEvent]) in events.map { String(describing: $0) }.sorted() }
            try #require(sorted(events.0) == sorted(events.1), "step \(step)")
            try compare(fast, naive, "step \(step)")
        }
        #expect(seen.contains("named") && seen.contains("ended"))
    }

    private func compare(_ fast: CauseFinder, _ naive: ReferenceFinder, _ comment: Comment) throws {
        let causes = fast.causes
        try #require(causes.map(\.id.rawValue) == naive.standing.keys.sorted(), comment)
        for cause in causes {
            let other = try #require(naive.standing[cause.id.rawValue], comment)
            try #require(cause.accused == other.accused, comment)
            let explained = naive.explained(other.id)
            try #require(fast.targets(explainedBy: cause.id).map(\.rawValue) == explained.sorted(), comment)
            try #require(cause.explained == explained.count, comment)
            try #require(cause.up == naive.up(behind: other), comment)
            try #require((cause.stage == .named) == other.isNamed, comment)
        }
        for (key, _) in naive.serials where key.position == nil {
            guard case .risk(let risk) = key, let number = fast.index.number(of: risk) else {
                Issue.record("\(key) is missing")
                continue
            }
            let row = fast.index.rows[Int(number)]
            let counts = [row.up, row.down, row.failing, row.free].map(Int.init)
            let expected = [
                naive.count(key, .up), naive.count(key, .down), naive.count(key, .failing), naive.free(key).count,
            ]
            try #require(counts == expected, comment)
        }
        try #require(abs(fast.background.outages - naive.background.outages) < 1e-9, comment)
        try #require(fast.nextDeadline == naive.nextDeadline, comment)
    }
}
