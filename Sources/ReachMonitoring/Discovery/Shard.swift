import ReachBasics

/// The share of one process in a list of targets: one of several shards, which are numbered from one.
///
/// A target belongs to the shard with the highest score for it (rendezvous hashing: Thaler and Ravishankar, "A Name-Based
/// Mapping Scheme for Rendezvous", 1996). So the last shard can be added or removed, and only its own targets move.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
    /// Why a text is no shard, and the fix.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The largest number of shards.
    package static let maxCount = 1_000

    /// The number of the shard.
    package let number: Int
    /// The number of all shards.
    package let count: Int

    /// Parses a shard, such as `2/5`.
    package init(_ text: String) throws(Problem) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
        }
        guard parts.count == 2, numbers.count == 2 else {
            throw Problem(description: "invalid shard \"\(text)\" – such as 2/5, the second of five")
        }
        guard (1...Self.maxCount).contains(numbers[1]) else {
            throw Problem(description: "\(numbers[1]) shards – from 1 to \(Self.maxCount)")
        }
        guard (1...numbers[1]).contains(numbers[0]) else {
            throw Problem(
                description:
                    "no shard \(numbers[0]) of \(numbers[1]) – from 1/\(numbers[1]) to \(numbers[1])/\(numbers[1])"
            )
        }
        (number, count) = (numbers[0], numbers[1])
    }

    /// The notation: `2/5`.
    package var description: String { "\(number)/\(count)" }

    /// Whether a target belongs to this shard. Its URL and its name decide, so that its rows are in one shard.
    package func owns(_ target: Target) -> Bool {
        let key = StableHash.fnv1a("\(target.question.url)\n\(target.name)".utf8)
        return Self.number(for: key, of: count) == number
    }

    /// The number of the shard with the highest score for a key.
    static func number(for key: UInt64, of count: Int) -> Int {
        var best = (score: UInt64.min, number: 1)
        for number in 1...count {
            let score = StableHash.splitMix64(key ^ StableHash.splitMix64(UInt64(number)))
            if score > best.score { best = (score, number) }
        }
        return best.number
    }
}

extension Settings {
    /// The tag of targets of other shards that are probed here too.
    package static let otherShardTag = "other-shard"

    /// Keeps the targets of a shard, and the targets of other shards that they depend on. These are probed, so that they block
    /// their dependents, and are not reported: their own shard does that.
    package mutating func keep(_ shard: Shard) {
        var kept = targets.map(shard.owns)
        var indexes: [String: [Int]] = [:]
        for (index, target) in targets.enumerated() {
            indexes[target.name, default: []].append(index)
            if target.label != target.name { indexes[target.label, default: []].append(index) }
        }
        var parents: Set<Int> = []
        var pending = targets.indices.filter { kept[$0] }
        while let index = pending.popLast() {
            for case .target(let name) in targets[index].dependsOn {
                for parent in indexes[name] ?? [] where !kept[parent] {
                    kept[parent] = true
                    parents.insert(parent)
                    pending.append(parent)
                }
            }
        }
        targets = targets.indices.filter { kept[$0] }.map { index in
            var target = targets[index]
            guard parents.contains(index) else { return target }
            target.isOfOtherShard = true
            target.hooks = []
            if !target.tags.contains(Self.otherShardTag) { target.tags.append(Self.otherShardTag) }
            return target
        }
    }
}

extension RosterEvent {
    /// The event without targets that another shard reports; nil if no others are left.
    package func ofThisShard(in roster: Roster) -> RosterEvent? {
        filter { roster[$0]?.target.isOfOtherShard != true }
    }
}
