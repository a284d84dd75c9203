/// What the settings will know one day, so that who writes it now is not told of a misspelling.
enum Unsupported {
    /// Keys of a target, a group or the defaults.
    static let targetKeys: Set<String> = ["depends_on"]
}
