public import Monitoring

extension Fetch {
    /// A header field: a name, which is case-insensitive, and a value.
    public typealias Header = HTTPOptions.Header
}

extension [Fetch.Header] {
    /// The value of the first field of this name. Field names are case-insensitive.
    public subscript(name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Adds a field. An `Authorization` replaces the one from the URL.
    mutating func set(_ header: Fetch.Header) {
        if header.name.lowercased() == "authorization" { removeAll { $0.name.lowercased() == "authorization" } }
        append(header)
    }
}
