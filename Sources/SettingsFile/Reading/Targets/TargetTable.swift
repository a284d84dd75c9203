/// The table of a target, for the editor.
struct TargetTable: Sendable {
    /// The path of the file that has the table.
    let file: String
    /// Whether it is the first file, which the others are included by.
    let isInFirstFile: Bool
    /// Whether the table has a list of URLs.
    let hasList: Bool
    /// The names of its targets: one, or one for each URL.
    let names: Set<String>
}
