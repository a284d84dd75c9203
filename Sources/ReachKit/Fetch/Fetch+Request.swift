package import Fetching
import Monitoring

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// What is asked, and the patience for its answer. Whether it can be asked shows when it is fetched.
    public struct Request: Sendable, ExpressibleByStringLiteral {
        /// How much of an answer's body is kept in memory unless told otherwise: 64 MiB.
        public static let longestBody = 64 * 1_024 * 1_024

        /// Where it goes: `https://example.net/file`. Its user and password become an `Authorization` (RFC 7617), and what
        /// follows a `#` is not sent.
        public var url: String
        /// The method: `GET`.
        public var method: String
        /// Header fields besides those that the protocol needs.
        public var headers: [Header]
        /// What is sent; nothing when absent.
        public var body: Body?
        /// How many redirects are followed; none when negative.
        public var follow: Int
        /// How long the server may be silent in one try, by the system's own clock, which stands while the machine sleeps. A
        /// body may take as long as it keeps coming.
        public var timeout: Duration
        /// How many bytes of an answer's body are kept in memory: of a longer one ``FetchError/tooLong(limit:)`` is told,
        /// and the rest is not read.
        public var longestBody: Int

        /// A GET, unless told otherwise, that follows ten redirects and whose server may be silent for half a minute.
        public init(
            _ url: String,
            method: String = "GET",
            headers: [Header] = [],
            body: Body? = nil,
            follow: Int = 10,
            timeout: Duration = .seconds(30),
            longestBody: Int = Self.longestBody
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.follow = follow
            self.timeout = timeout
            self.longestBody = longestBody
        }

        /// A GET, unless told otherwise, of a URL of Foundation.
        public init(_ url: URL, method: String = "GET", headers: [Header] = [], body: Body? = nil) {
            self.init(url.absoluteString, method: method, headers: headers, body: body)
        }

        /// A GET.
        public init(stringLiteral url: String) {
            self.init(url)
        }

        /// What the command line has made of its words.
        package init(_ request: FetchRequest) {
            self.init(
                request.url,
                method: request.method,
                headers: request.headers.map { Header($0) },
                body: request.body.map { Body($0) },
                follow: request.follow,
                timeout: request.timeout,
                longestBody: request.longestBody
            )
        }

        /// The request as it is sent, with its files opened.
        ///
        /// - Throws: ``FetchError/invalid(_:)`` or ``FetchError/file(_:)``.
        func opened() async throws(FetchError) -> FetchRequest {
            var request = try unopened()
            request.body = try await body?.opened()
            return request
        }

        /// The request as it is sent, but for its body.
        ///
        /// - Throws: ``FetchError/invalid(_:)``.
        func unopened() throws(FetchError) -> FetchRequest {
            var request: FetchRequest
            do throws(URLProblem) {
                request = try FetchRequest(reading: url)
            } catch {
                throw .invalid("the URL: \(error)")
            }
            guard method.isToken else { throw .invalid("\"\(method)\" is no method: such as GET, PUT, DELETE") }
            for header in headers {
                guard header.name.isToken, header.value.isPlain else {
                    // The value may be a secret.
                    throw .invalid("no header field: \"\(header.name)\", or a control character in its value")
                }
                request.set(HTTPOptions.Header(name: header.name, value: header.value))
            }
            request.method = method
            request.follow = max(0, follow)
            request.timeout = timeout
            request.timeoutScope = .silence
            request.longestBody = max(0, longestBody)
            return request
        }
    }
}

extension String {
    /// Whether it is the name of a method or of a field (`token`, RFC 9110 §5.6.2).
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                default: "0123456789!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Whether it may be the value of a field.
    fileprivate var isPlain: Bool {
        utf8.allSatisfy { $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7F }
    }
}
