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
