/// The table of a target, for the editor.
struct TargetTable: Sendable {
    /// The path of the file that has the table, and whether it is the first file.
    let file: String
    let isInFirstFile: Bool
    /// The name of its target.
    let names: [String]
}
