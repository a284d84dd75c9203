import TestSupport
import Testing

@testable import ReachMonitoring

struct ShardTests {
    private func target(_ name: String, dependsOn parents: [String] = []) -> Target {
        .make(
            name,
            url: "icmp://\(name).example",
            dependsOn: parents.map { .target($0) },
            hooks: [HookRule(on: [.down], run: .shell("true"))]
        )
    }

    private func shards(of count: Int) throws -> [Shard] {
        try (1...count).map { try Shard("\($0)/\(count)") }
    }

    @Test(arguments: [1, 2, 3, 5, 16])
    func `each target belongs to exactly one shard, and the shares are about equal`(count: Int) throws {
        let targets = (1...2_000).map { target("host\($0)") }
        let shards = try shards(of: count)
        let owners = targets.map { target in shards.filter { $0.owns(target) }.map(\.number) }
        #expect(owners.allSatisfy { $0.count == 1 })
        let sizes = Dictionary(grouping: owners.flatMap(\.self)) { $0 }.mapValues(\.count)
        let mean = 2_000 / count
        // Five standard deviations of a binomial distribution.
        let spread = 5 * Int(Double(mean).squareRoot()) + 1
        #expect(sizes.count == count && sizes.values.allSatisfy { abs($0 - mean) <= spread }, "\(sizes)")
    }

    @Test func `without the last shard, only its targets move`() throws {
        for count in 2...8 {
            for number in 1...500 {
                let key = StableHash.splitMix64(UInt64(number))
                let (before, after) = (Shard.number(for: key, of: count), Shard.number(for: key, of: count - 1))
                #expect(before == after || before == count)
            }
        }
    }

    @Test func `the shares are the same in every version of the program`() throws {
        let owners = ["a", "b", "c", "d", "e", "f", "g", "h"].map { name in
            Shard.number(for: StableHash.fnv1a("icmp://\(name).example\n\(name)".utf8), of: 5)
        }
        let shards = try shards(of: 5)
        #expect(
            owners
                == ["a", "b", "c", "d", "e", "f", "g", "h"].map { name in
                    shards.first { $0.owns(target(name)) }?.number ?? 0
                }
        )
        #expect(owners == Self.pinned)
    }

    /// Computed by an independent program, in Python.
    private static let pinned = [4, 1, 1, 4, 5, 5, 4, 5]

    @Test func `both families of a target are in one shard`() throws {
        let rows = [Family.v4, .v6].map {
            Target(name: "A", question: .icmp(host: "a.example"), family: $0, probesBothFamilies: true)
        }
        for shard in try shards(of: 7) { #expect(shard.owns(rows[0]) == shard.owns(rows[1])) }
    }

    @Test func `together, the shards report each target once, with its dependencies`() throws {
        var random = TestSupport.SplitMix(seed: 7)
        for _ in 0..<50 {
            let count = Int.random(in: 1...60, using: &random)
            let targets = (0..<count).map { index in
                let parents =
                    index == 0
                    ? []
                    : (0..<Int.random(in: 0...2, using: &random)).map { _ in
                        "n\(Int.random(in: 0..<index, using: &random))"
                    }
                return target("n\(index)", dependsOn: parents)
            }
            var reported: [String] = []
            for shard in try shards(of: Int.random(in: 1...6, using: &random)) {
                var settings = Settings(targets: targets)
                settings.keep(shard)
                let names = Set(settings.targets.map(\.name))
                #expect(settings.targets.map(\.name) == targets.map(\.name).filter(names.contains))
                for target in settings.targets {
                    // Every parent is known, directly or not.
                    for case .target(let parent) in target.dependsOn { #expect(names.contains(parent)) }
                    #expect(target.isOfOtherShard != shard.owns(target))
                    #expect(target.hooks.isEmpty == target.isOfOtherShard)
                    #expect(target.tags == (target.isOfOtherShard ? [Settings.otherShardTag] : []))
                }
                reported += settings.targets.filter { !$0.isOfOtherShard }.map(\.name)
            }
            #expect(reported.sorted() == targets.map(\.name).sorted())
        }
    }

    @Test func `a parent of another shard is named by its label, too`() throws {
        let parents = [Family.v4, .v6].map {
            Target(name: "P", question: .icmp(host: "p.example"), family: $0, probesBothFamilies: true)
        }
        let child = target("C", dependsOn: ["P IPv6"])
        for shard in try shards(of: 9) where shard.owns(child) && !shard.owns(parents[0]) {
            var settings = Settings(targets: parents + [child])
            settings.keep(shard)
            #expect(settings.targets.map(\.label) == ["P IPv6", "C"])
        }
    }

    @Test(arguments: [
        ("2", "invalid shard \"2\" – such as 2/5, the second of five"),
        ("0/5", "no shard 0 of 5 – from 1/5 to 5/5"), ("6/5", "no shard 6 of 5 – from 1/5 to 5/5"),
        ("1/0", "0 shards – from 1 to 1000"), ("1/1001", "1001 shards – from 1 to 1000"),
        ("-1/5", "invalid shard \"-1/5\" – such as 2/5, the second of five"),
        ("1/5/2", "invalid shard \"1/5/2\" – such as 2/5, the second of five"),
        ("/", "invalid shard \"/\" – such as 2/5, the second of five"),
    ])
    func `an invalid shard has a fix`(text: String, problem: String) throws {
        let error = #expect(throws: Shard.Problem.self) { try Shard(text) }
        #expect(error?.description == problem)
    }

    @Test func `events of targets that another shard reports are left out`() throws {
        var settings = Settings(targets: [target("A"), target("B")])
        settings.targets[1].isOfOtherShard = true
        var roster = Roster()
        _ = roster.apply(settings, at: .zero)
        let ids = roster.states.map(\.id)
        let own = { (kind: RosterEvent.Kind, ids: [Target.ID]) in
            RosterEvent(kind, of: ids, at: .zero).ofThisShard(in: roster)
        }
        #expect(own(.faultCleared, [ids[0]]) == RosterEvent(.faultCleared, of: [ids[0]], at: .zero))
        #expect(own(.faultCleared, [ids[1]]) == nil)
        #expect(own(.blocked(by: .link), ids) == RosterEvent(.blocked(by: .link), of: [ids[0]], at: .zero))
        #expect(own(.unblocked, [ids[1]]) == nil)
        #expect(own(.stalled(.zero), []) == RosterEvent(.stalled(.zero), at: .zero))
    }
}
