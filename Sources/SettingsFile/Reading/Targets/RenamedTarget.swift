/// A target with a name before the present one.
struct RenamedTarget {
    /// The name before.
    let formerly: String
    let name: String
    /// The URL; nil if it is invalid.
    let url: String?
    let table: TableReader
}
