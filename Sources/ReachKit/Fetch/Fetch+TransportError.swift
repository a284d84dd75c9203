#if Fetch
public import Monitoring

extension Fetch {
    /// Why there was no response, or only a part of it: the name lookup, the route, the connection, TLS or a redirect.
    public struct TransportError: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        package let failure: Failure

        package init(_ failure: Failure) {
            self.failure = failure
        }

        package init(_ reason: Reason, detail: String? = nil, httpStatus: Int? = nil) {
            failure = Failure(reason, detail: detail, httpStatus: httpStatus)
        }

        /// The reason: `refused`.
        public var reason: Reason { failure.reason }
        /// The status of a redirect that cannot be followed; nil for other errors.
        public var httpStatus: Int? { failure.httpStatus }
        /// The error as part of a sentence: `the name nowhere.invalid was not found`.
        public var description: String { failure.detail }
    }
}

extension Fetch.TransportError: Codable {
    private enum CodingKeys: String, CodingKey {
        case reason, detail, httpStatus
    }

    /// Decodes an error.
    ///
    /// - Throws: `DecodingError` when the reason is unknown or missing.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .reason)
        guard let reason = Reason(rawValue: name) else {
            throw DecodingError.dataCorruptedError(forKey: .reason, in: values, debugDescription: "unknown reason")
        }
        self.init(
            reason,
            detail: try values.decodeIfPresent(String.self, forKey: .detail),
            httpStatus: try values.decodeIfPresent(Int.self, forKey: .httpStatus)
        )
    }

    /// Encodes the name of the reason, the description and the status.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(reason.rawValue, forKey: .reason)
        try values.encode(failure.detail, forKey: .detail)
        try values.encodeIfPresent(httpStatus, forKey: .httpStatus)
    }
}
#endif
