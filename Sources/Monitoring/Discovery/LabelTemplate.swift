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
