#if Fetch
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// The body of a request: the same bytes at every try, from memory and from files.
    public struct Body: Sendable, ExpressibleByStringLiteral {
        enum Part: Sendable {
            case bytes([UInt8])
            /// A file to open; `-` is standard input.
            case path(String)
            case file(BodyFile)
        }

        private(set) var parts: [Part]

        /// Bytes in memory.
        public static func data(_ data: Data) -> Body {
            Body(parts: [.bytes(Array(data))])
        }

        /// A text, as UTF-8.
        public static func text(_ text: String) -> Body {
            Body(parts: [.bytes(Array(text.utf8))])
        }

        /// A file. It is opened when the fetch begins and read from its start at every try. One that can be read only
        /// once, such as a pipe, is first copied to a temporary file; until its end, only the time limit of the fetch and
        /// cancellation count. A device that is not empty is an ``Fetch/Error/file(_:)``.
        public static func file(_ path: String) -> Body {
            // A file of the name "-", not standard input.
            Body(parts: [.path(path == "-" ? "./-" : path)])
        }

        /// Standard input up to its end.
        package static let standardInput = Body(parts: [.path("-")])

        private init(parts: [Part]) {
            self.parts = parts
        }

        /// A text, as UTF-8.
        public init(stringLiteral text: String) {
            self = .text(text)
        }

        /// Adds another body at the end.
        public mutating func append(_ other: Body) {
            parts += other.parts
        }

        /// The body with its files opened.
        package func opened() async throws(Error) -> Body {
            var opened = self
            for case (let index, .path(let path)) in parts.enumerated() {
                opened.parts[index] = .file(try await BodyFile.open(path))
            }
            return opened
        }

        /// The length in bytes. Files that are not opened count as empty.
        package var length: Int64 {
            parts.reduce(0) { sum, part in
                switch part {
                case .bytes(let bytes): sum + Int64(bytes.count)
                case .path: sum
                case .file(let file): sum + file.length
                }
            }
        }
    }
}
#endif
