/// How the program identifies itself to an HTTP API, and how it verifies the server. Secrets are in files, which are read
/// for each connection, so that they can be renewed.
package struct ServerCredentials: Sendable, Hashable {
    /// The file of a bearer token (RFC 6750).
    package var tokenFile: String?
    /// The user (RFC 7617).
    package var user: String?
    /// The file of the user's password.
    package var passwordFile: String?
    /// The file of the trusted certificate authorities, in place of the system's.
    package var ca: String?
    /// The file of the client certificate.
    package var cert: String?
    /// The file of its private key.
    package var key: String?

    /// Creates credentials; by default none.
    package init() {}

    /// Why the credentials contradict each other, with the fix; nil if they do not.
    package var problem: String? {
        if tokenFile != nil, user != nil { return "token_file and user cannot be combined – remove one" }
        if passwordFile != nil, user == nil { return "password_file without user – add the user" }
        if user != nil, passwordFile == nil { return "user without password_file – add password_file" }
        if (cert == nil) != (key == nil) { return "cert and key belong together – add the other one" }
        return nil
    }
}
