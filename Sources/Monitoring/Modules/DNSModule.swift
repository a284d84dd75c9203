/// The query of a DNS module, and the checks of the answer.
package struct DNSModule: Sendable, Hashable {
    /// The patterns for the records of one section, in the format of zone files.
    package struct Validation: Sendable, Hashable {
        /// The probe fails if a record matches one of these.
        package var failsIfMatches: [ModulePattern] = []
        /// The probe fails if every record matches each of these.
        package var failsIfAllMatch: [ModulePattern] = []
        /// The probe fails if a record does not match one of these, or if there is no record.
        package var failsIfNotMatches: [ModulePattern] = []
        /// The probe fails if no record matches any of these.
        package var failsIfNoneMatches: [ModulePattern] = []

        /// Creates a validation that accepts anything.
        package init() {}

        /// Whether there are no patterns.
        package var isEmpty: Bool { self == Validation() }
    }

    /// The name that is queried.
    package var name: String
    /// The number of the type; 255 (`ANY`) by default.
    package var type: UInt16 = 255
    /// The number of the class; 1 (`IN`) by default.
    package var recordClass: UInt16 = 1
    /// The transport of the query.
    package var transport = DNSQuestion.Transport.udp
    /// Whether the query is sent by TLS (RFC 7858).
    package var isSecure = false
    /// The options for TLS.
    package var tls = TLSOptions()
    /// Whether the server is asked to resolve the name by other servers.
    package var desiresRecursion = true
    /// The numbers of the response codes that are expected.
    package var responseCodes: [UInt16] = [0]
    /// The checks of the answer section.
    package var answer = Validation()
    /// The checks of the authority section.
    package var authority = Validation()
    /// The checks of the additional section.
    package var additional = Validation()

    /// Creates a query for all records of a name.
    package init(name: String) {
        self.name = name
    }
}
