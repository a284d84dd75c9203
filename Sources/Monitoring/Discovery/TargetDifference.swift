/// The difference between two lists of targets, by their labels.
package struct TargetDifference: Sendable, Hashable {
    package let added: Int
    package let removed: Int
    package let changed: Int

    /// Compares two lists.
    package init(_ before: [Target], _ after: [Target]) {
        let old = Dictionary(before.map { ($0.label, $0) }) { first, _ in first }
        let names = Set(after.map(\.label))
        added = after.count { old[$0.label] == nil }
        removed = before.count { !names.contains($0.label) }
        changed = after.count { target in old[target.label].map { $0 != target } ?? false }
    }

    /// Whether the lists are the same.
    package var isEmpty: Bool { added + removed + changed == 0 }

    /// The difference in words: `3 added, 1 removed`.
    package var summary: String {
        let counts = [(added, "added"), (removed, "removed"), (changed, "changed")]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
    }
}
