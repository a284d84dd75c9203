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
    package static let largestCount = 1_000

    /// The number of the shard.
    package let number: Int
    /// The number of all shards.
    package let count: Int

    /// Parses a shard, such as `2/5`.
    package init(_ text: String) throws(Problem) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 2, numbers.count == 2 else {
            throw Problem(description: "invalid shard \"\(text)\" – such as 2/5, the second of five")
        }
        guard (1...Self.largestCount).contains(numbers[1]) else {
            throw Problem(description: "\(numbers[1]) shards – from 1 to \(Self.largestCount)")
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
