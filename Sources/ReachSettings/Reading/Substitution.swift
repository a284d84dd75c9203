import ReachMonitoring

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

/// A reference to a file with a secret: `${file:/run/secrets/token}`, or `${credential:token}` for a credential that
/// systemd passes to a service (`LoadCredential=`).
struct SecretReference {
    /// The largest size of the file.
    private static let limit = 65_536

    /// The path of the file; nil if the credential has none.
    private let path: String?
    private let text: Substring

    /// Parses the text between the braces; nil for the name of a variable.
    ///
    /// - Parameter directory: The directory that a relative path is relative to, with a trailing slash.
    init?(_ text: Substring, environment: [String: String], directory: String) throws(Substitution.Failure) {
        self.text = text
        if text.hasPrefix("file:") {
            // The reference ends at the first brace.
            guard !text.contains("${") else {
                throw Substitution.Failure(
                    message: "a variable in a file name",
                    hint: "write the path in \("${\(text)".quoted)"
                )
            }
            let path = text.dropFirst("file:".count)
            guard !path.isEmpty, !path.hasPrefix("~") else {
                throw Substitution.Failure(
                    message: "invalid file name in \("${\(text)}".quoted)",
                    hint: "such as ${file:/run/secrets/token}"
                )
            }
            self.path = path.hasPrefix("/") ? String(path) : directory + path
        } else if text.hasPrefix("credential:") {
            let name = text.dropFirst("credential:".count)
            guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
                throw Substitution.Failure(
                    message: "invalid credential name in \("${\(text)}".quoted)",
                    hint: "such as ${credential:token}"
                )
            }
            let folder = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
            path = folder.map { "\($0)/\(name)" }
        } else {
            return nil
        }
    }

    /// Reads the secret, without the line end after it.
    func value() throws(Substitution.Failure) -> String {
        guard let path else {
            throw Substitution.Failure(
                message: "no credentials: $CREDENTIALS_DIRECTORY is not set",
                hint: "LoadCredential=NAME:FILE in the systemd unit",
                unset: String(text)
            )
        }
        let content: RegularFile
        do {
            content = try RegularFile(path: path, limit: Self.limit)
        } catch {
            guard !error.isMissing else {
                throw Substitution.Failure(
                    message: "\(path): no such file",
                    hint: "write it, or ${\(text):-fallback}",
                    unset: String(text)
                )
            }
            guard !error.isOtherKind else {
                throw Substitution.Failure(
                    message: "\(path): \(error.problem)",
                    hint: "name a text file with the secret"
                )
            }
            throw Substitution.Failure(message: "\(path): \(error.problem)", hint: error.fix)
        }
        guard content.ownership.mode & 0o004 == 0 else {
            throw Substitution.Failure(
                message: "others can read \(path)",
                hint: "chmod o-r \(path.shellWord); for a container, mount it with mode 0400"
            )
        }
        guard var text = content.text, !text.utf8.contains(0) else {
            throw Substitution.Failure(message: "\(path) is not UTF-8 text", hint: "write the secret as text")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
        guard !text.isEmpty else {
            throw Substitution.Failure(message: "\(path) is empty", hint: "write the secret into it")
        }
        return text
    }
}
