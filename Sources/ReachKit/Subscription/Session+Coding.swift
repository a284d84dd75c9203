import ReachMonitoring

extension Session.State: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case setup, preparing, waiting, ready, failed, cancelled
    }

    private struct Ready: Codable {
        let address: String
    }

    /// Decodes a state.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .setup: .setup
            case .preparing: .preparing
            case .waiting: .waiting(try values.decode(Failure.self, forKey: key))
            case .ready: .ready(address: try values.decode(Ready.self, forKey: key).address)
            case .failed: .failed(try values.decode(Session.Cause.self, forKey: key))
            case .cancelled: .cancelled
            }
    }

    /// Encodes the state as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .setup: try values.encode(NoValue(), forKey: .setup)
        case .preparing: try values.encode(NoValue(), forKey: .preparing)
        case .waiting(let failure): try values.encode(failure, forKey: .waiting)
        case .ready(let address): try values.encode(Ready(address: address), forKey: .ready)
        case .failed(let cause): try values.encode(cause, forKey: .failed)
        case .cancelled: try values.encode(NoValue(), forKey: .cancelled)
        }
    }
}
