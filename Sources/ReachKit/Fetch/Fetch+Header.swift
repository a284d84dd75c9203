import Monitoring

extension Fetch {
    /// A header field.
    public struct Header: Sendable, Hashable {
        /// The field's name, which has no case.
        public var name: String
        /// The field's value.
        public var value: String

        /// Pairs a name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        init(_ header: HTTPOptions.Header) {
            self.init(name: header.name, value: header.value)
        }
    }
}

extension [Fetch.Header] {
    /// The value of the first field of this name; names of fields have no case.
    public subscript(name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
