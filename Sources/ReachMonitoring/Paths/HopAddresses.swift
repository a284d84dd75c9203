/// An address that answered for a hop.
public struct HopAddress: Sendable, Hashable {
    /// The address.
    public let address: String
    /// The number of its answers.
    public fileprivate(set) var count: Int
}

/// The addresses that answered for one hop, and the detection of a change.
///
/// A router that divides traffic by packet lets several addresses answer in turn: they are members of one group, and
/// an answer of a member is no change. A change is a series of answers without any from the group, if that series is
/// unlikely for a mixture: of m answers before it and r in it, a mixture gives this order with a probability of at
/// most (m/(m+r))^m · (r/(m+r))^r (the likelihood of one change against none). Unanswered probes say nothing about
/// the address.
struct HopAddresses: Sendable, Equatable {
    /// The maximum number of addresses kept for a hop.
    static let limit = 8
    private static let likelihood = 0.0004
    /// A series so long is a change whatever came before.
    static let longestSeries: UInt8 = 24
    /// The length of a series from which on its address is shown, also while it is undecided whether it is a change.
    private static let shortestSeries: UInt8 = 3

    /// The addresses: first those of the group, then those of the series.
    private(set) var all: [HopAddress] = []
    /// The number of answers of the group since the last change, limited.
    private var settled: UInt8 = 0
    /// The number of successive answers from outside of the group.
    private var series: UInt8 = 0
    /// The number of addresses of the group, at the front of `all`.
    private var members: UInt8 = 0
    /// The number of addresses of the series, behind those of the group.
    private var newcomers: UInt8 = 0
    /// The index of the address to show.
    private var shown: UInt8 = 0

    /// The current address; nil before the first answer.
    var current: String? { all.isEmpty ? nil : all[Int(shown)].address }

    /// Whether an address is one of those that answer in turn, by what is decided so far.
    func isMember(_ address: String) -> Bool { all.prefix(Int(members)).contains { $0.address == address } }

    /// Whether answers differ from the current address, and it is undecided whether this is a change.
    var isUndecided: Bool { series > 0 }

    /// Counts an answer. Returns the address before if this answer completes a change.
    mutating func record(_ address: String) -> String? {
        var index: Int
        if let known = all.firstIndex(where: { $0.address == address }) {
            index = known
            all[index].count += 1
        } else {
            if all.count == Self.limit { dropRarest() }
            index = all.count
            all.append(HopAddress(address: address, count: 1))
        }
        guard members > 0 else {
            all.swapAt(0, index)
            (members, settled) = (1, 1)
            return nil
        }
        if index < members {
            // The series was interrupted: its addresses and the group's answer in turn.
            members += newcomers
            (series, newcomers, shown) = (0, 0, 0)
            settled = min(settled + 1, 64)
            return nil
        }
        if index >= members + newcomers {
            all.swapAt(Int(members + newcomers), index)
            index = Int(members + newcomers)
            newcomers += 1
        }
        series += 1
        if series >= Self.shortestSeries { shown = UInt8(index) }
        guard isChange else { return nil }
        let before = all[0].address
        // The new group is this address alone; the others of the series join it when they answer again.
        all.swapAt(0, index)
        (members, settled, series, newcomers, shown) = (1, series, 0, 0, 0)
        return before
    }

    /// Forgets the group, so that the next address is the current one without a change.
    mutating func assume(_ address: String) {
        self = HopAddresses()
        all = [HopAddress(address: address, count: 0)]
        members = 1
    }

    private var isChange: Bool {
        guard series >= Self.shortestSeries else { return false }
        if series >= Self.longestSeries { return true }
        let total = Double(settled) + Double(series)
        var likelihood = 1.0
        for _ in 0..<settled { likelihood *= Double(settled) / total }
        for _ in 0..<series { likelihood *= Double(series) / total }
        return likelihood < Self.likelihood
    }

    private mutating func dropRarest() {
        var rarest = all.count - 1
        for index in all.indices.dropFirst() where all[index].count < all[rarest].count { rarest = index }
        if rarest < members {
            members -= 1
        } else if rarest < members + newcomers {
            newcomers -= 1
        }
        if rarest < shown { shown -= 1 } else if rarest == shown { shown = 0 }
        all.remove(at: rarest)
    }
}
