import ReachBasics

/// A target of a list from elsewhere: its labels, by the rules of Prometheus.
package struct DiscoveredTarget: Sendable, Hashable {
    /// The label with the address.
    package static let addressLabel = "__address__"
    /// The label with the target of blackbox_exporter, in lists that are made for it. It takes precedence over the address,
    /// which is that of the exporter then.
    package static let parameterLabel = "__param_target"
    /// The host of the address, with brackets around an IPv6 address. The label is derived: Prometheus has none.
    package static let hostLabel = "__host__"
    /// The port of the address, if it has one. The label is derived, too.
    package static let portLabel = "__port__"

    private let labels: [String: String]

    /// Creates a target.
    package init(_ labels: [String: String]) {
        self.labels = labels
    }

    /// What is probed by default.
    package var address: String {
        let parameter = labels[Self.parameterLabel] ?? ""
        return parameter.isEmpty ? labels[Self.addressLabel] ?? "" : parameter
    }

    /// Throws if no target can have the address. As in Prometheus, that concerns only this target of a list.
    func checkAddress() throws(DiscoveryProblem) {
        let address = labels[Self.addressLabel] ?? ""
        guard !address.isEmpty else { throw DiscoveryProblem("an empty address – such as 192.0.2.1:9100") }
        let isPlain = address.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !$0.isControlOrFormat }
        guard isPlain else { throw DiscoveryProblem("blank or control character in the address") }
    }

    /// The value of a label; nil if the target does not have it. An empty label counts as missing, as in Prometheus.
    package subscript(label: String) -> String? {
        let value =
            switch label {
            case Self.hostLabel: hostAndPort.host
            case Self.portLabel: hostAndPort.port
            default: labels[label]
            }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The host and the port of the address, or of the URL that is the address.
    private var hostAndPort: (host: String, port: String?) {
        var rest = address[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        guard let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") else { return (String(rest), nil) }
        let (host, port) = (rest[..<colon], rest[colon...].dropFirst())
        // Without brackets, several colons are an IPv6 address alone.
        guard !host.contains(":") || host.hasPrefix("[") else { return ("[\(rest)]", nil) }
        return (String(host), String(port))
    }
}

/// A text with the labels of discovered targets: `https://${label:__address__}/health`. `${label:NAME:-fallback}` has a value
/// for targets without the label, and `$${` is a plain `${`.
package struct LabelTemplate: Sendable, Hashable {
    /// Why a text is no template, and the fix.
    package struct Failure: Error, Sendable, Hashable {
        package let message: String
        package let hint: String
    }

    /// A label that a target lacks.
    package struct MissingLabel: Error, Sendable, Hashable {
        package let name: String
    }

    /// The beginning of a reference in braces.
    package static let prefix = "label:"

    private enum Part: Sendable, Hashable {
        case text(String)
        case label(String, fallback: String?)
    }

    private var parts: [Part] = []

    /// Parses a text.
    package init(_ text: String) throws(Failure) {
        var rest = text[...]
        var plain = ""
        while let dollar = rest.firstIndex(of: "$") {
            plain += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                plain += "${"
                rest = rest.dropFirst(3)
                continue
            }
            guard rest.hasPrefix("${\(Self.prefix)") else {
                plain += rest.prefix(1)
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw Failure(message: "\"${\" without \"}\"", hint: "\"$${\" is a plain \"${\"")
            }
            let reference = rest[..<end].dropFirst(2 + Self.prefix.count)
            let separator = reference.firstRange(of: ":-")
            let name = String(separator.map { reference[..<$0.lowerBound] } ?? reference)
            guard name.isLabelName else {
                throw Failure(
                    message: "invalid label name \(name.quotedOnOneLine)",
                    hint: "${label:NAME} or ${label:NAME:-fallback}, such as ${label:__address__}"
                )
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.label(name, fallback: separator.map { String(reference[$0.upperBound...]) }))
            rest = rest[end...].dropFirst()
        }
        plain += rest
        if !plain.isEmpty { parts.append(.text(plain)) }
    }

    /// Whether the text has a label.
    package var hasLabels: Bool {
        parts.contains { if case .label = $0 { true } else { false } }
    }

    /// Returns the text for a target.
    ///
    /// - Throws: ``MissingLabel`` if the target lacks a label without a fallback.
    package func filled(from target: DiscoveredTarget) throws(MissingLabel) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let plain): text += plain
            case .label(let name, let fallback):
                guard let value = target[name] ?? fallback else { throw MissingLabel(name: name) }
                text += value
            }
        }
        return text
    }
}

/// Gives targets of lists unique names, which do not depend on their order.
struct DiscoveredNames {
    /// The questions of the targets so far, by name.
    private var taken: [String: Question]

    /// - Parameter targets: Targets that keep their names.
    init(_ targets: [Target]) {
        taken = Dictionary(targets.map { ($0.name, $0.question) }) { first, _ in first }
    }

    /// Returns the targets of a list, each once. Where several have one name, and in place of a name that is taken, the host
    /// or URL follows the name. Targets that are known by their name and question are left out.
    mutating func named(_ targets: [Target]) -> [Target] {
        var questions: [String: Question] = [:]
        var ambiguous: Set<String> = []
        for target in targets {
            if let other = questions[target.name] ?? taken[target.name], other != target.question {
                ambiguous.insert(target.name)
            }
            questions[target.name] = target.question
        }
        let before = taken
        var labels: Set<String> = []
        return targets.compactMap { target in
            guard before[target.name] != target.question else { return nil }
            var target = target
            if ambiguous.contains(target.name) {
                let title = target.question.title ?? target.question.url
                let candidates = [title, target.question.url].filter { $0 != target.name }.map {
                    "\(target.name) \($0)"
                }
                guard let name = candidates.first(where: { (taken[$0] ?? target.question) == target.question }) else {
                    return nil
                }
                target.name = name
            }
            guard before[target.name] == nil, labels.insert(target.label).inserted else { return nil }
            taken[target.name] = target.question
            return target
        }
    }
}

/// The difference between two lists of targets, by their labels.
package struct TargetDifference: Sendable, Hashable {
    package let added: Int
    package let removed: Int
    package let changed: Int

    /// Compares two lists.
    package init(_ before: [Target], _ after: [Target]) {
        let old = Dictionary(before.map { ($0.label, $0) }) { first, _ in first }
        let names = Set(after.map(\.label))
        added = after.count { old[$0.label] == nil }
        removed = before.count { !names.contains($0.label) }
        changed = after.count { target in old[target.label].map { $0 != target } ?? false }
    }

    /// Whether the lists are the same.
    package var isEmpty: Bool { added + removed + changed == 0 }

    /// The difference in words: `3 added, 1 removed`.
    package var summary: String {
        let counts = [(added, "added"), (removed, "removed"), (changed, "changed")]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
    }
}

extension Settings {
    /// The targets of a list that were left out.
    package struct LeftOut: Sendable, Hashable {
        /// The number of targets.
        package let count: Int
        /// The number of targets in the list.
        package let total: Int
        /// The address of the first one, and its problem.
        package let first: String

        /// The summary, as part of a sentence.
        package var summary: String { "\(count) of \(total) targets left out, the first: \(first)" }
    }

    /// Sets the targets to those of the file and of the sources' lists. Targets that the file or an earlier source has too are
    /// left out without a note.
    ///
    /// - Returns: The targets that cannot be made, by source.
    package mutating func discover(_ lists: [DiscoverySource.Kind: DiscoveryList]) -> [DiscoverySource: LeftOut] {
        guard !sources.isEmpty else { return [:] }
        var names = DiscoveredNames(ownTargets)
        var leftOut: [DiscoverySource: LeftOut] = [:]
        targets = ownTargets
        for source in sources {
            guard let list = lists[source.kind] else { continue }
            var made: [Target] = []
            var problems: (count: Int, first: String) = (0, "")
            for target in list.targets {
                do throws(DiscoveryProblem) {
                    try target.checkAddress()
                    made += try source.targets(target)
                } catch {
                    if problems.count == 0 { problems.first = "\(target.address.quotedOnOneLine): \(error)" }
                    problems.count += 1
                }
            }
            if problems.count > 0 {
                leftOut[source] = LeftOut(count: problems.count, total: list.targets.count, first: problems.first)
            }
            targets += names.named(made)
        }
        for index in targets.indices.dropFirst(ownTargets.count) {
            targets[index].dependsOn.removeAll {
                if case .target(let name) = $0 { disabledTargets.contains(name) } else { false }
            }
        }
        redaction.cover(targets)
        return leftOut
    }
}
