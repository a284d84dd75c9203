#if Fetch

import AsyncHTTPClient
public import HTTPTypes
import ReachBasics
package import ReachMonitoring
import ReachProbing

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// An HTTP request, with the timeout and the limit for its response. It is validated when it is fetched.
    public struct Request: Sendable, ExpressibleByStringInterpolation {
        /// The default of ``maximumBodySize``, in bytes: 64 MiB.
        public static let defaultMaximumBodySize = 64 * 1_024 * 1_024

        /// The URL: `https://example.net/file`. Its user and password become an `Authorization` (RFC 7617), and the
        /// fragment after a `#` is not sent.
        public var url: String
        /// The method: `GET`.
        public var method: String
        /// Header fields besides those that the protocol needs: `[.accept: "text/plain"]`.
        public var headers: HTTPFields
        /// The body; nil for none.
        public var body: Body?
        /// The maximum number of redirects that are followed; negative counts as zero.
        public var redirectLimit: Int
        /// How long the server may send nothing in one try, by the system's suspending clock. It is the limit of a
        /// silence, not of the try: the body as a whole may take longer. Opening the connection takes ten seconds at
        /// most. Negative counts as zero.
        public var timeout: Duration
        /// The longest body of a response that is kept in memory, in bytes. A longer one throws
        /// ``Fetch/Error/tooLong(limit:)``, and the rest is not read. Of a response that is an error, this much of the
        /// body is kept.
        public var maximumBodySize: Int
        /// Whether the server may compress the body (gzip or deflate), which is then decompressed; false by default, so
        /// that a body is received as it is stored. A compressed body that was cut off is fetched from its beginning, and
        /// the one of a file is decompressed, too.
        ///
        /// The request gets an `Accept-Encoding` unless it has one. A decompressed body has at most 256 MiB; a longer one
        /// throws ``Fetch/Error/tooLong(limit:)``, also from a file or a stream. A body that is not valid, or has another
        /// coding or several (`br`, `gzip, gzip`), is ``Fetch/Error/incomplete(_:)``, and is not retried.
        public var isDecompressed = false
        /// Whether the timeout limits the whole try, from the name lookup to the last byte, instead of each pause of
        /// the server.
        package var limitsWholeTry = false
        /// How a body that was cut off is continued; nil to fetch it from its beginning.
        var resumption: Resumption?

        /// Whether the request may be sent twice: its method is idempotent (RFC 9110 §9.2.2), or it has an
        /// `Idempotency-Key`.
        var isRepeatable: Bool {
            Self.idempotentMethods.contains(method) || headers["Idempotency-Key"] != nil
        }

        private static let idempotentMethods: Set<String> = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]

        /// Creates a request: by default a GET that follows ten redirects, with a timeout of 30 seconds.
        public init(
            _ url: String,
            method: String = "GET",
            headers: HTTPFields = [:],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.redirectLimit = redirectLimit
            self.timeout = timeout
            self.maximumBodySize = maximumBodySize
        }

        /// Creates a request for a Foundation URL: by default a GET that follows ten redirects, with a timeout of 30
        /// seconds.
        public init(
            _ url: URL,
            method: String = "GET",
            headers: HTTPFields = [:],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.init(
                url.absoluteString,
                method: method,
                headers: headers,
                body: body,
                redirectLimit: redirectLimit,
                timeout: timeout,
                maximumBodySize: maximumBodySize
            )
        }

        /// Creates a request with header fields whose names are texts: `["Accept": "text/plain"]`. An invalid field is an
        /// error when the request is fetched.
        public init(
            _ url: String,
            method: String = "GET",
            headers: [String: String],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.init(
                url,
                method: method,
                body: body,
                redirectLimit: redirectLimit,
                timeout: timeout,
                maximumBodySize: maximumBodySize
            )
            for (text, value) in headers.sorted(by: { $0.key < $1.key }) {
                if let name = HTTPField.Name(text), value.isFieldValue {
                    self.headers.append(HTTPField(name: name, value: value))
                } else {
                    // Reported when the request is fetched.
                    self.headers[text] = value
                }
            }
        }

        /// Creates a request for a Foundation URL, with header fields whose names are texts.
        public init(
            _ url: URL,
            method: String = "GET",
            headers: [String: String],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.init(
                url.absoluteString,
                method: method,
                headers: headers,
                body: body,
                redirectLimit: redirectLimit,
                timeout: timeout,
                maximumBodySize: maximumBodySize
            )
        }

        /// Creates a GET request.
        public init(stringLiteral url: String) {
            self.init(url)
        }
    }
}

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

extension Fetch.Request {
    /// The request as the transport sends it: the URL normalized, its user and password moved to an `Authorization`,
    /// method and fields checked. Validating a valid request changes nothing.
    ///
    /// - Throws: ``Fetch/Error/invalid(_:)``.
    package func validated() throws(Fetch.Error) -> Self {
        var request = self
        do throws(URLProblem) {
            let (url, authorization) = try Self.parse(url)
            request.url = url
            // A field of the request replaces the one from the URL.
            if let authorization, headers[.authorization] == nil {
                request.headers = HTTPFields([HTTPField(name: .authorization, value: authorization)] + headers)
            }
        } catch {
            throw .invalid("the URL: \(error)")
        }
        if isDecompressed, headers[.acceptEncoding] == nil { request.headers[.acceptEncoding] = "gzip, deflate" }
        if let problem = body?.problem { throw .invalid(problem) }
        if let type = body?.contentType, headers[.contentType] == nil { request.headers[.contentType] = type }
        guard method.isHTTPToken else { throw .invalid("invalid method \"\(method)\" – such as GET, PUT, DELETE") }
        if let invalidHeader = headers[.invalidField] {
            // The value is not part of the message, because it may be a secret.
            throw .invalid("invalid header field \"\(invalidHeader)\": bad name, or a control character in its value")
        }
        request.redirectLimit = max(0, redirectLimit)
        request.timeout = max(.zero, timeout)
        request.maximumBodySize = max(0, maximumBodySize)
        return request
    }

    /// Parses a URL as people write it, with user, password and fragment.
    ///
    /// - Returns: The URL without user, password and fragment, and the value of the `Authorization` for user and
    ///   password (RFC 7617).
    /// - Throws: ``ReachMonitoring/URLProblem``, one line that does not contain the password.
    static func parse(_ text: String) throws(URLProblem) -> (url: String, authorization: String?) {
        var rest = String(text.prefix { $0 != "#" })
        var authorization: String?
        let example = "such as https://example.com/file"
        let elsewhere = URLProblem("only http:// and https:// can be fetched", hint: example)
        if let start = rest.firstRange(of: "://")?.upperBound {
            guard ["http://", "https://"].contains(rest[..<start].lowercased()) else { throw elsewhere }
            let end = rest[start...].firstIndex { "/?".contains($0) } ?? rest.endIndex
            if let at = rest[start..<end].lastIndex(of: "@") {
                guard let plain = rest[start..<at].percentDecoded else {
                    throw URLProblem("invalid percent-encoding in the user or password", hint: "%25 for %")
                }
                authorization = HTTPClient.Authorization(userAndPassword: plain).headerValue
                rest.removeSubrange(start...at)
            }
        }
        guard !rest.isEmpty else { throw URLProblem("the URL is empty", hint: example) }
        guard case .http(var question) = try Question(rest) else { throw elsewhere }
        guard question.hasPlainHost else { throw URLProblem("an interface in the URL is not supported") }
        question.path = question.requestTarget
        return (Question.http(question).url, authorization)
    }

    /// The request as an HTTP question, which has the host, the port and the rules for redirects.
    var question: HTTPQuestion? {
        guard case .http(var question)? = try? Question(url) else { return nil }
        // For a redirect, it matters only whether there is a body.
        let bodySent = body.map { _ in "" }
        question.options = HTTPOptions(
            method: method,
            headers: headers.options,
            bodySent: bodySent,
            follow: redirectLimit
        )
        return question
    }
}

extension HTTPQuestion {
    /// Whether every server on the way parses the host in the same way: a name in ASCII, or an address without a zone,
    /// which has another syntax in URLs (RFC 6874).
    var hasPlainHost: Bool {
        host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    }
}

extension HTTPClient.Authorization {
    /// Parses `USER:PASSWORD`; without a colon, the password is empty.
    init(userAndPassword text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self = .basic(username: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
    }
}

extension Fetch.Request {
    /// The request that follows a redirect (RFC 9110 §15.4); nil where the response is not a redirect that is followed,
    /// or its `Location` is empty.
    /// A request to another origin has no header fields.
    ///
    /// - Parameter hops: the number of redirects that were followed before.
    /// - Throws: ``Fetch/Error/network(_:)`` with the response's status where the redirect cannot be followed.
    func redirected(by response: Fetch.Response, after hops: Int) throws(Fetch.Error) -> Self? {
        guard let location = response.headers[values: .location].first, !location.isEmpty, let question,
            question.isFollowed(response.status)
        else { return nil }
        guard hops < redirectLimit else {
            let count = redirectLimit == 1 ? "once" : "\(redirectLimit) times"
            let detail = "redirected more than \(count)"
            throw .network(Fetch.TransportError(.protocolError, detail: detail, httpStatus: response.status))
        }
        guard var target = question.redirected(by: response.status, to: location), target.hasPlainHost else {
            let url = location.withoutCredentials.withoutQuery.prefix(100)
            let detail = "redirected to \"\(url)\", which cannot be fetched"
            throw .network(Fetch.TransportError(.protocolError, detail: detail, httpStatus: response.status))
        }
        target.path = target.requestTarget
        var next = self
        next.url = Question.http(target).url
        next.method = target.options.method
        next.headers = HTTPFields(target.options.headers)
        if body != nil, target.options.bodySent == nil {
            next.body = nil
            next.headers[.contentType] = nil
        }
        return next
    }
}

extension Fetch.Request {
    /// The request with the cookies for it.
    func adding(_ cookies: CookieJar) -> Self {
        guard let question else { return self }
        let next = cookies.adding(to: question)
        guard next != question else { return self }
        var request = self
        request.headers = HTTPFields(next.options.headers)
        return request
    }
}

extension HTTPFields {
    /// The value of the field with this name, which is case-insensitive, as `headers[.accept]` for a name without a
    /// constant; nil without the field. The values of several fields are joined with commas.
    ///
    /// Setting it replaces the field, and nil removes it. An invalid name or value is an error when the request is
    /// fetched.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            if let field = HTTPField.Name(name), newValue?.isFieldValue ?? true {
                self[field] = newValue
            } else if newValue != nil {
                self[.invalidField] = name
            }
        }
    }

    /// The fields of a probe or a webhook. Those with an invalid name are dropped.
    package init(_ options: [HTTPOptions.Header]) {
        self.init(
            options.compactMap { header in
                HTTPField.Name(header.name).map { HTTPField(name: $0, value: header.value) }
            }
        )
    }

    /// The same fields, for the rules of redirects.
    var options: [HTTPOptions.Header] {
        map { HTTPOptions.Header(name: $0.name.rawName, value: $0.value) }
    }
}

extension HTTPField.Name {
    /// Holds the name of a field that was set by a text and is invalid, until the request is validated.
    fileprivate static let invalidField: HTTPField.Name = {
        guard let name = HTTPField.Name("Reach-Invalid-Field") else { preconditionFailure("not the name of a field") }
        return name
    }()
}

#endif
