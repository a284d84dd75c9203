/// What the settings will know one day, so that who writes it now is not told of a misspelling.
enum Unsupported {
    /// Keys of a target, a group or the defaults.
    static let targetKeys: Set<String> = ["depends_on"]
    /// Keys of a hook.
    static let hookKeys: Set<String> = ["request", "within", "min_down", "retries", "allow_cellular"]
}
