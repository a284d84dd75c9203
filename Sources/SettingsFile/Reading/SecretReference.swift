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
        let content: FileContent
        do {
            content = try FileContent(path: path, limit: Self.limit)
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
