/// Removes secrets from output that others may read: metrics, `/targets`, logs and the lines of `watch`.
///
/// URLs lose their query strings and user info. A value that the settings took from the environment is replaced by its
/// variable, `${NAME}`. Names and URLs are replaced exactly; in other texts, the redaction searches for values of at
/// least ``shortestValue`` bytes.
public struct Redaction: Sendable, Hashable {
    /// The shortest value that is searched for in texts. Shorter ones would match everywhere, and are no secrets.
    public static let shortestValue = 4

    /// A redaction that changes nothing, for the user's own terminal.
    public static let none = Redaction(isActive: false)

    private let isActive: Bool
    /// The values to search for, the longest first.
    private var replacements: [Replacement] = []
    /// The public names of targets, by the settings' names.
    private var names: [String: String] = [:]
    /// The public labels of targets, by their labels.
    private var labels: [String: String] = [:]
    /// The public URLs of targets, by the settings' names.
    private var urls: [String: String] = [:]
    /// The public names of groups.
    private var groups: [String: String] = [:]

    private struct Replacement: Sendable, Hashable {
        let bytes: [UInt8]
        let text: String
    }

    private init(isActive: Bool) {
        self.isActive = isActive
    }

    /// Creates a redaction without values: it only cuts query strings and user info.
    public init() {
        self.init(isActive: true)
    }

    // MARK: Values from the settings

    /// Registers a value that `${variable}` stands for. The parts of a URL are registered too, since they also occur
    /// alone: the host of `${URL}` is in details.
    public mutating func note(value: String, of variable: String) {
        let text = "${\(variable)}"
        let isMethod = { (part: String) in Method(rawValue: part) != nil }
        let parts = value.split { "/?&=@#:".contains($0) }.map(String.init).filter { !isMethod($0) }
        for part in [value] + parts {
            add(part, text)
            if part.percentEncoded != part { add(part.percentEncoded, text) }
        }
    }

    private mutating func add(_ value: String, _ text: String) {
        let bytes = Array(value.utf8)
        guard bytes.count >= Self.shortestValue, !replacements.contains(where: { $0.bytes == bytes }) else { return }
        let index = replacements.firstIndex { $0.bytes.count < bytes.count } ?? replacements.endIndex
        replacements.insert(Replacement(bytes: bytes, text: text), at: index)
    }

    /// Registers the public name of a target.
    public mutating func note(name: String, as template: String) {
        names[name] = template
    }

    /// Registers the public URL of the target with a name.
    public mutating func note(urlOf name: String, as template: String) {
        urls[name] = template
    }

    /// Registers the public name of a group.
    public mutating func note(group: String, as template: String) {
        groups[group] = template
    }

    /// Gives each target a unique public name. A name made from a URL loses its query; if several targets then have the
    /// same public name, they are numbered.
    public mutating func cover(_ targets: [Target]) {
        guard isActive else { return }
        let publicNames = targets.map { target in
            names[target.name] ?? (target.isNamedByURL ? target.name.withoutQuery : target.name)
        }
        labels = [:]
        guard zip(targets, publicNames).contains(where: { $0.name != $1 }) else { return }
        // A target probed over both families is two targets with one name, and both keep it.
        var takenBy = Dictionary(
            zip(targets, publicNames).filter { $0.name == $1 }.map { ($1, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        for (target, name) in zip(targets, publicNames) where target.name != name {
            var candidate = name
            var number = 1
            while let owner = takenBy[candidate], owner != target.name {
                number += 1
                candidate = "\(name) (\(number))"
            }
            takenBy[candidate] = target.name
            names[target.name] = candidate
            labels[target.label] = label(of: target)
        }
    }

    /// Adds the values of an earlier redaction, so that they stay hidden after a reload.
    public mutating func formUnion(_ earlier: Redaction) {
        for replacement in earlier.replacements {
            add(String(decoding: replacement.bytes, as: UTF8.self), replacement.text)
        }
        names.merge(earlier.names) { mine, _ in mine }
        labels.merge(earlier.labels) { mine, _ in mine }
        urls.merge(earlier.urls) { mine, _ in mine }
        groups.merge(earlier.groups) { mine, _ in mine }
    }

    // MARK: Redacted output

    /// The public label of a target.
    public func label(of target: Target) -> String {
        guard let name = names[target.name] else { return target.label }
        return name + target.label.dropFirst(target.name.count)
    }

    /// The public label for a target's label.
    public func label(_ label: String) -> String {
        guard !labels.isEmpty else { return label }
        if let known = labels[label] { return known }
        // The label of an address row ends with the address.
        guard let end = label.lastIndex(of: " "), let known = labels[String(label[..<end])] else { return label }
        return known + label[end...]
    }

    /// The blocker with its public label.
    public func blocker(_ blocker: Blocker) -> Blocker {
        if case .target(let label) = blocker { .target(self.label(label)) } else { blocker }
    }

    /// The public URL of a target.
    public func url(of target: Target) -> String {
        guard isActive else { return target.question.url }
        if let url = urls[target.name] { return url }
        return target.question.method == .dns ? target.question.url : target.question.url.withoutURLSecrets
    }

    /// The public name of a target's group.
    public func group(of target: Target) -> String? {
        target.group.map { groups[$0] ?? $0 }
    }

    /// Any other text, with values replaced and URLs without query and user info.
    public func text(_ text: String) -> String {
        guard isActive else { return text }
        return replacingValues(in: text).withoutURLSecrets
    }

    /// The text with every known value replaced.
    public func replacingValues(in text: String) -> String {
        guard !replacements.isEmpty else { return text }
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        var hasChanged = false
        while let byte = rest.first {
            if let found = replacements.first(where: { rest.starts(with: $0.bytes) }) {
                result += found.text.utf8
                rest = rest.dropFirst(found.bytes.count)
                hasChanged = true
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return hasChanged ? String(decoding: result, as: UTF8.self) : text
    }
}

extension Target {
    /// Whether the target's name is its URL, with a query.
    fileprivate var isNamedByURL: Bool {
        guard name.utf8.contains(UInt8(ascii: "?")), case .http = question else { return false }
        return name == question.title || name == question.url
    }
}
