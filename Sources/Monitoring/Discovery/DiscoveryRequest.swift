/// The request of a list by HTTP.
package struct DiscoveryRequest: Sendable, Hashable {
    /// The URL.
    package var url: String
    /// The header fields as they are written in the settings: the names of files with secrets, not the secrets.
    package var headerTexts: [String] = []
    /// The path of the certificates of the trusted authorities; nil for the system's.
    package var authorities: String?
    /// The path of the client's certificate; nil for none.
    package var certificate: String?
    /// The path of its key; nil if it is in the same file.
    package var key: String?

    /// Creates a request without header fields.
    package init(url: String) {
        self.url = url
    }
}
