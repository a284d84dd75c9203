#if Fetch

import ReachMonitoring

extension Fetch.Response.BodyEnding: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case whole, truncated, timeout, lost
    }

    /// Decodes an ending.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .whole: .whole
            case .truncated: .truncated
            case .timeout: .timeout
            case .lost: .lost(try values.decode(Fetch.TransportError.self, forKey: key))
            }
    }

    /// Encodes the ending as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .whole: try values.encode(NoValue(), forKey: .whole)
        case .truncated: try values.encode(NoValue(), forKey: .truncated)
        case .timeout: try values.encode(NoValue(), forKey: .timeout)
        case .lost(let error): try values.encode(error, forKey: .lost)
        }
    }
}

#endif
