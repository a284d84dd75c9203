/// The facts of an HTTP probe by a module.
package struct HTTPModuleReport: Sendable, Hashable {
    /// The durations of `resolve`, `connect`, `tls`, `processing` and `transfer`, each summed over all redirects.
    package var phases: [String: Duration] = [:]
    /// The value of `Content-Length`; -1 if the response has none, 0 without a response.
    package var contentLength = 0
    /// The number of bytes of the body that were read.
    package var bodyLength = 0
    /// The number of redirects received.
    package var redirects = 0
    /// Whether the last response came by TLS.
    package var isSecure = false
    /// The status code; 0 without a response.
    package var status = 0
    /// The version, such as `1.1`; nil without a response.
    package var version: String?
    /// The time of `Last-Modified` in seconds since 1970; nil if the response has none.
    package var lastModified: Int64?

    /// Creates the facts of a request without a response.
    package init() {}
}
