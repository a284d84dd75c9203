/// The way from the top of the document to a value: `target`, second element, `hooks`, first element, `run`.
struct SettingsPath: Hashable {
    /// One step down.
    enum Step: Hashable {
        /// Into the table's value of this name.
        case key(String)
        /// Into the array's element of this number, counted from zero.
        case index(Int)
    }

    private(set) var steps: [Step] = []

    /// The path of the table that this is in; the top's is the top.
    var parent: SettingsPath {
        SettingsPath(steps: steps.dropLast())
    }

    /// The path of a value in this table.
    func appending(_ key: String) -> SettingsPath {
        SettingsPath(steps: steps + [.key(key)])
    }

    /// The path of an element of this array.
    func appending(_ index: Int) -> SettingsPath {
        SettingsPath(steps: steps + [.index(index)])
    }
}
