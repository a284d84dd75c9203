#if Fetch
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// A value that a fetch takes as its request: a text with a URL, a Foundation URL, or a ``Request``.
    public protocol RequestConvertible: Sendable {
        /// The request: for a URL, a GET.
        var fetchRequest: Request { get }
    }
}

extension Fetch.Request: Fetch.RequestConvertible {
    /// The request itself.
    public var fetchRequest: Fetch.Request { self }
}

extension String: Fetch.RequestConvertible {
    /// A GET of the URL in the text. It is validated when it is fetched.
    public var fetchRequest: Fetch.Request { Fetch.Request(self) }
}

extension URL: Fetch.RequestConvertible {
    /// A GET of the URL.
    public var fetchRequest: Fetch.Request { Fetch.Request(self) }
}
#endif
