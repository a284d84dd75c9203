import ReachMonitoring

extension Reachability.Status: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case unknown, unreachable, reachable
    }

    private struct Reachable: Codable {
        let via: Reachability.Link
    }

    /// Decodes a status.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .unknown: .unknown
            case .unreachable: .unreachable(try values.decode(Reachability.Cause.self, forKey: key))
            case .reachable: .reachable(via: try values.decode(Reachable.self, forKey: key).via)
            }
    }

    /// Encodes the status as an object with one key, the name of the case: `{"unreachable": {"timeout": {}}}`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .unknown: try values.encode(NoValue(), forKey: .unknown)
        case .unreachable(let cause): try values.encode(cause, forKey: .unreachable)
        case .reachable(let link): try values.encode(Reachable(via: link), forKey: .reachable)
        }
    }
}

extension Reachability.Cause: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case timeout, failure, fault, invalidSubject
    }

    /// Decodes a cause.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .timeout: .timeout
            case .failure: .failure(try values.decode(Failure.self, forKey: key))
            case .fault: .fault(try values.decode(Fault.self, forKey: key))
            case .invalidSubject: .invalidSubject(try values.decode(URLProblem.self, forKey: key))
            }
    }

    /// Encodes the cause as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .timeout: try values.encode(NoValue(), forKey: .timeout)
        case .failure(let failure): try values.encode(failure, forKey: .failure)
        case .fault(let fault): try values.encode(fault, forKey: .fault)
        case .invalidSubject(let problem): try values.encode(problem, forKey: .invalidSubject)
        }
    }
}

extension Reachability.WaitError: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case expired, cancelled
    }

    /// Decodes an error.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .expired: .expired(try values.decode(Reachability.Status.self, forKey: key))
            case .cancelled: .cancelled
            }
    }

    /// Encodes the error as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .expired(let status): try values.encode(status, forKey: .expired)
        case .cancelled: try values.encode(NoValue(), forKey: .cancelled)
        }
    }
}
