/// The version of reach.
package enum ReachVersion {
    /// The number of the release, as in `--version` and in `User-Agent`.
    package static let current = "0.2.0"
}
