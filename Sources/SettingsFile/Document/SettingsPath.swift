/// The path from the root of a file to a value: `target`, second element, `hooks`, first element, `run`.
struct SettingsPath: Hashable {
    /// One component of a path.
    enum Component: Hashable {
        /// The key of a table.
        case key(String)
        /// The index of an array element, counted from zero.
        case index(Int)
    }

    /// The file that has the value: an index in the order in which the files are read.
    var file = 0
    private(set) var components: [Component] = []

    /// The path of the enclosing table or array; the root is its own parent.
    var parent: SettingsPath {
        SettingsPath(file: file, components: components.dropLast())
    }

    /// Returns the path of a value in this table.
    func appending(_ key: String) -> SettingsPath {
        SettingsPath(file: file, components: components + [.key(key)])
    }

    /// Returns the path of an element of this array.
    func appending(_ index: Int) -> SettingsPath {
        SettingsPath(file: file, components: components + [.index(index)])
    }
}
