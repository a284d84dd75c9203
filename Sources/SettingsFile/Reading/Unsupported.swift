/// What the settings will know one day, so that who writes it now is not told of a misspelling.
enum Unsupported {
    /// Schemes of URLs, which are the names of their option tables too.
    static let methods: Set<String> = ["session", "tls", "http", "https", "dns", "udp", "link", "route", "exec"]
    /// Keys of a target, a group or the defaults.
    static let targetKeys = methods.union(["depends_on", "family", "source"])
    /// Keys of a hook.
    static let hookKeys: Set<String> = ["request", "within", "min_down", "retries", "allow_cellular"]
    /// Values of a hook's `on`.
    static let events: Set<String> = ["flapping", "address"]
}
