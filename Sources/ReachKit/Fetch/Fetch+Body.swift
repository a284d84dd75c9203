import Fetching

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// What is sent with a request: the same bytes at every try, however many there are.
    public struct Body: Sendable, ExpressibleByStringLiteral {
        private enum Part: Sendable {
            case open(RequestBody)
            case file(String)
        }

        private var parts: [Part]

        init(_ body: RequestBody) {
            parts = [.open(body)]
        }

        /// Bytes in memory.
        public static func data(_ data: Data) -> Body {
            Body(RequestBody(Array(data)))
        }

        /// A text, as UTF-8.
        public static func text(_ text: String) -> Body {
            Body(RequestBody(text))
        }

        /// A file. It is opened when the fetch begins and read anew at every try; what can be read only once, such as a
        /// pipe, is first copied to a temporary file.
        public static func file(_ path: String) -> Body {
            var body = Body("")
            // A file of this name, not standard input.
            body.parts = [.file(path == "-" ? "./-" : path)]
            return body
        }

        /// A text, as UTF-8.
        public init(stringLiteral text: String) {
            self = .text(text)
        }

        /// Adds another body at the end.
        public mutating func append(_ other: Body) {
            parts += other.parts
        }

        /// Opens the files.
        func opened() async throws(FetchError) -> RequestBody {
            var whole = RequestBody([])
            for part in parts {
                switch part {
                case .open(let body):
                    whole.append(body)
                case .file(let path):
                    do throws(FileProblem) {
                        whole.append(RequestBody(try await BodyFile.open(path)))
                    } catch {
                        throw FetchError(error)
                    }
                }
            }
            return whole
        }
    }
}
