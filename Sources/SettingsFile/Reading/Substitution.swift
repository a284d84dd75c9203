/// Substitutes environment variables: `${NAME}` becomes the value, `${NAME:-fallback}` the fallback if the variable is
/// unset or empty, and `$${` a plain `${`.
struct Substitution {
    private let environment: [String: String]
    /// The names that are filled in when a hook runs. They are left unchanged; empty outside hook requests.
    var fields: [String] = []

    init(environment: [String: String]) {
        self.environment = environment
    }

    /// Why a substitution failed, and the fix.
    struct Failure: Error, Hashable {
        let message: String
        let hint: String
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
            return "${\(reference.prefix { $0 != ":" })}"
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
                result += "${"
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

    private func value(
        of reference: Substring,
        onUse: (_ name: String, _ value: String) -> Void
    ) throws(Failure) -> String {
        let parts = reference.split(separator: ":-", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
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
                hint: "set it, or write ${\(name):-fallback}"
            )
        }
        return value
    }
}

extension Character {
    /// Whether a shell accepts this character in the name of a variable.
    fileprivate var isPartOfVariable: Bool {
        isASCII && (isLetter || isNumber || self == "_")
    }
}
