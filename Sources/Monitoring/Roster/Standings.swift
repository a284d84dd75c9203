/// The targets in the order of the settings, with what is known of each; and what is seen of all of them from afar, kept
/// up to date with every change of one.
public struct Standings: Sendable {
    private var all: [Standing]
    /// A glance at each, in the same order.
    public private(set) var glances: [Glance]
    /// How many are how.
    public private(set) var census = Census()
    /// Grows when anything but a round trip is seen to change; two equal ones mean that nothing did.
    public private(set) var changes = 0

    init(_ standings: [Standing] = []) {
        all = standings
        glances = standings.map { Glance($0) }
        for glance in glances { census.add(glance) }
    }

    private mutating func look(at position: Int) {
        let (before, after) = (glances[position], Glance(all[position]))
        guard before != after else { return }
        glances[position] = after
        guard !before.isLike(after) else { return }
        census.remove(before)
        census.add(after)
        changes += 1
    }
}

extension Standings: RandomAccessCollection {
    /// Always zero: the first target of the settings.
    public var startIndex: Int { 0 }
    /// How many targets there are.
    public var endIndex: Int { all.count }

    /// What is known of the target at a position.
    public internal(set) subscript(position: Int) -> Standing {
        _read { yield all[position] }
        _modify {
            defer { look(at: position) }
            yield &all[position]
        }
    }
}
