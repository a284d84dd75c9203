import Fetching

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// What a server said.
    public struct Answer: Sendable, Hashable {
        /// How the body ended.
        public enum Ending: Sendable, Hashable {
            /// The server sent all of it.
            case whole
            /// It is longer than what is kept; the rest was not read.
            case cut
            /// The rest did not come.
            case lost(Trouble)
        }

        /// The status code: `200`.
        public let status: Int
        /// The header fields, in the order in which they came.
        public let headers: [Header]
        /// The body, as far as it came and went nowhere else.
        public let body: Data
        /// How the body ended.
        public let ending: Ending

        init(_ answer: FetchAnswer) {
            status = answer.status
            headers = answer.headers.map { Header($0) }
            body = Data(answer.body)
            ending =
                switch answer.ending {
                case .whole: .whole
                case .cut: .cut
                case .timeout: .lost(Trouble(.silence, after: answer.status))
                case .lost(let failure): .lost(Trouble(.failure(failure), after: answer.status))
                }
        }
    }
}
