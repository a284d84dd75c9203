import Monitoring

/// The records of a service, and how long they are valid.
package struct ServiceAnswer: Sendable, Hashable {
    /// The records, in the order of their priorities and hosts; empty if the name has none, or does not exist.
    package let records: [ServiceRecord]
    /// The time until the first record expires; nil without records.
    package let lifetime: Duration?

    /// Reads an answer.
    ///
    /// - Throws: The failure of the server, or of an answer with too many records.
    init(_ answer: DNSAnswer, to name: DNSName) throws(Failure) {
        switch answer.responseCode {
        case .noerror, .nxdomain: break
        default: throw Failure(.resolverFailed, detail: answer.codeName)
        }
        guard answer.records.count < DNSAnswer.maxRecords else {
            throw Failure(.protocolError, detail: "\(DNSAnswer.maxRecords) records or more")
        }
        let found = answer.records(of: .srv, at: name)
        let hosts = found.compactMap { record -> (numbers: [UInt16], host: String)? in
            guard case .host(let numbers, let host) = record.value, numbers.count == 3 else { return nil }
            // The root as the host means that there is no such service.
            return host.labels.isEmpty || numbers[2] == 0 ? nil : (numbers, host.description)
        }
        records = hosts.sorted { ($0.numbers[0], $0.host, $0.numbers[2]) < ($1.numbers[0], $1.host, $1.numbers[2]) }
            .map { ServiceRecord(host: $0.host, port: $0.numbers[2]) }
        // Aliases on the way to the records expire too.
        lifetime = found.isEmpty ? nil : answer.records.map(\.timeToLive).min().map { .seconds(Int64($0)) }
    }
}
