/// The credentials in the field `Authorization`. A file is read for each probe, since secrets are replaced while the
/// program runs.
package enum ModuleAuthorization: Sendable, Hashable {
    /// A user with a password (RFC 7617).
    case basic(user: String, ModuleSecret)
    /// Credentials after the name of their scheme: `Bearer` (RFC 6750).
    case scheme(String, ModuleSecret)
}

/// A secret of a module.
package enum ModuleSecret: Sendable, Hashable {
    /// The secret itself.
    case text(String)
    /// The file that contains it. Blanks and line ends around it are not part of it.
    case file(String)
}
