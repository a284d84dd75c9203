import Monitoring

/// Takes the keys of one table, one by one and by type, and reports what it cannot take.
///
/// A key is known once it has been asked for; what is left at ``finish(elsewhere:)`` is a misspelling.
struct TableReader {
    /// What the table is called in messages, up to the name of a key: `target "NAS": `, `dashboard.`.
    var title: String
    /// Where the table is in the document.
    let path: SettingsPath
    /// Where problems go.
    let log: ProblemLog
    var substitution: Substitution
    private let values: [String: Value]
    /// The keys that have been asked for, in this order.
    private(set) var known: [String] = []

    init(
        _ values: [String: Value],
        title: String,
        at path: SettingsPath = SettingsPath(),
        substitution: Substitution,
        log: ProblemLog
    ) {
        self.values = values
        self.title = title
        self.path = path
        self.substitution = substitution
        self.log = log
    }

    /// The names of all keys that are there, in alphabetical order.
    var keys: [String] { values.keys.sorted() }

    /// Whether the key is there, with a value good or bad.
    func has(_ key: String) -> Bool {
        values[key] != nil
    }

    /// The string that is a key's value. This does not take the key.
    func string(at key: String) -> String? {
        if case .string(let text)? = values[key] { text } else { nil }
    }

    /// Takes a key's value as it is.
    mutating func value(_ key: String) -> Value? {
        known.append(key)
        return values[key]
    }

    /// Where the key's value stands.
    func location(of key: String) -> Location? {
        log.place(of: path.appending(key))?.value
    }

    /// Reports a problem with a key's value, which may come from another key.
    func report(_ message: String, hint: String? = nil, about key: String, at source: String? = nil) {
        log.report(message, hint: hint, about: title + key, at: location(of: source ?? key))
    }

    /// Reports what concerns the table as a whole, where it begins.
    func report(_ message: String, hint: String? = nil) {
        log.report(message, hint: hint, about: name, at: log.place(of: path)?.key)
    }

    /// What the table is called without a key: `target "NAS"`, `dashboard`.
    private var name: String {
        String(title.dropLast(title.hasSuffix(".") ? 1 : 2))
    }

    /// Reports that a key has a value of another type than it takes.
    func report(_ key: String, is value: Value, insteadOf expected: String, hint: String? = nil) {
        report("expected \(expected), found \(value.type)", hint: hint, about: key)
    }

    /// A reader of the table that is the value of a key, or an element of it.
    func reader(of table: [String: Value], title: String, at path: SettingsPath) -> TableReader {
        TableReader(table, title: title, at: path, substitution: substitution, log: log)
    }

    /// Reports every key that has not been asked for.
    ///
    /// - Parameter elsewhere: keys that belong to another table, and the hint that names it.
    func finish(elsewhere: [String: String] = [:]) {
        for key in keys where !known.contains(key) {
            let location = log.place(of: path.appending(key))?.key
            let near = key.nearest(of: known).map { "did you mean \($0.quoted)?" }
            let choices = "one of \(known.joined(separator: ", "))"
            log.report(
                "unknown key \(key.quoted)",
                hint: elsewhere[key] ?? near ?? choices,
                about: name,
                at: location
            )
        }
    }
}
