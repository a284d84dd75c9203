import Monitoring

/// Substitutes environment variables and secrets: `${NAME}` becomes the value, `${NAME:-fallback}` the fallback if the
/// variable is unset or empty, `${file:…}` and `${credential:…}` a ``SecretReference``, and `$${` a plain `${`.
struct Substitution {
    let environment: [String: String]
    /// The directory that the files of secrets are relative to, with a trailing slash.
    private let directory: String
    /// Whether the value can have secrets: it is sent, and never shown.
    var mayHaveSecrets = false
    /// Whether the labels of discovered targets, `${label:NAME}`, are filled in later. They and `$${` are left unchanged.
    var hasLabels = false
    /// The names that are filled in when a hook runs. They are left unchanged; empty outside hook requests.
    var fields: [String] = []

    init(environment: [String: String], directory: String = "") {
        (self.environment, self.directory) = (environment, directory)
    }

    /// Why a substitution failed, and the fix.
    struct Failure: Error, Hashable {
        let message: String
        let hint: String?
        /// The reference that has no value, if this is the only problem.
        var unset: String?
    }

    /// Returns the text with all variables substituted.
    ///
    /// - Parameter onUse: Called with the name and value of each variable that is set.
    func callAsFunction(
        _ text: String,
        onUse: (_ name: String, _ value: String) -> Void = { _, _ in }
    ) throws(Failure) -> String {
        try replacing(text) { reference throws(Failure) in try value(of: reference, onUse: onUse) }
    }

    /// Returns the text as it is shown in output: with the names of its variables, without values and fallbacks.
    ///
    /// - Returns: Nil if the text has no variables, or if a substitution fails.
    func template(of text: String) -> String? {
        var hasVariables = false
        let template = try? replacing(text) { reference throws(Failure) in
            hasVariables = true
            return "${\(Self.name(in: reference))}"
        }
        return hasVariables ? template : nil
    }

    private func replacing(
        _ text: String,
        by value: (_ reference: Substring) throws(Failure) -> String
    ) throws(Failure) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                result += hasLabels ? "$${" : "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}") else {
                    throw Failure(message: "\"${\" without \"}\"", hint: "\"$${\" is a plain \"${\"")
                }
                result += try value(rest[..<end].dropFirst(2))
                rest = rest[end...].dropFirst()
            } else {
                result.append("$")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// Whether a text has a reference to a secret.
    func hasSecret(_ text: String) -> Bool {
        var hasSecret = false
        _ = try? replacing(text) { reference throws(Failure) in
            hasSecret = hasSecret || reference.hasPrefix("file:") || reference.hasPrefix("credential:")
            return ""
        }
        return hasSecret
    }

    /// The reference without its fallback.
    private static func name(in reference: Substring) -> Substring {
        reference.firstRange(of: ":-").map { reference[..<$0.lowerBound] } ?? reference
    }

    private func value(
        of reference: Substring,
        onUse: (_ name: String, _ value: String) -> Void
    ) throws(Failure) -> String {
        if reference.hasPrefix(LabelTemplate.prefix) {
            guard hasLabels else {
                throw Failure(
                    message: "\("${\(reference)}".quoted): no labels here",
                    hint: "labels are for url, name, group and tags below [[source]]"
                )
            }
            return "${\(reference)}"
        }
        let parts = reference.split(separator: ":-", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if let secret = try SecretReference(parts[0], environment: environment, directory: directory) {
            return try value(of: secret, name, fallback: parts.count == 2 ? parts[1] : nil, onUse: onUse)
        }
        guard let first = name.first, !first.isNumber, name.allSatisfy(\.isPartOfVariable) else {
            throw Failure(
                message: "invalid variable name \("${\(reference)}".quoted)",
                hint: "${NAME} or ${NAME:-fallback}; \"$${\" is a plain \"${\""
            )
        }
        let value = environment[name]
        if fields.contains(name) || (!fields.isEmpty && name.hasPrefix("REACH_") && value == nil) {
            guard parts.count == 1 else {
                throw Failure(message: "a field cannot have a fallback", hint: "write ${\(name)}")
            }
            return "${\(name)}"
        }
        if let value { onUse(name, value) }
        if parts.count == 2 {
            return value.flatMap { $0.isEmpty ? nil : $0 } ?? String(parts[1])
        }
        guard let value else {
            throw Failure(
                message: "the environment variable \(name) is not set",
                hint: "set it, or write ${\(name):-fallback}",
                unset: name
            )
        }
        return value
    }

    private func value(
        of secret: SecretReference,
        _ name: String,
        fallback: Substring?,
        onUse: (_ name: String, _ value: String) -> Void
    ) throws(Failure) -> String {
        guard mayHaveSecrets else {
            throw Failure(
                message: "the value of this key is shown, and cannot have \("${\(name)}".quoted)",
                hint: "secrets are for headers, bodies, send, passwords, proxies and the requests of hooks"
            )
        }
        let value: String
        do throws(Failure) {
            value = try secret.value()
        } catch {
            guard let fallback, error.unset != nil else { throw error }
            return String(fallback)
        }
        onUse(name, value)
        return value
    }
}

extension Character {
    /// Whether a shell accepts this character in the name of a variable.
    fileprivate var isPartOfVariable: Bool {
        isASCII && (isLetter || isNumber || self == "_")
    }
}
