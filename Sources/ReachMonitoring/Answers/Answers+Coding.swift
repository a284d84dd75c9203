extension Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case reason, detail, httpStatus, certificateExpiry, response, isAwaitingResolver
    }

    /// Decodes a failure.
    ///
    /// - Throws: `DecodingError`, for example for an unknown reason.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Reason.self, forKey: .reason),
            detail: try values.decodeIfPresent(String.self, forKey: .detail),
            httpStatus: try values.decodeIfPresent(Int.self, forKey: .httpStatus)
        )
        certificateExpiry = try values.decodeIfPresent(Int64.self, forKey: .certificateExpiry)
        response = try values.decodeIfPresent(String.self, forKey: .response)
        isAwaitingResolver = try values.decodeIfPresent(Bool.self, forKey: .isAwaitingResolver) ?? false
    }

    /// Encodes the failure with the names of its properties; those without a value are left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(reason, forKey: .reason)
        try values.encode(detail, forKey: .detail)
        try values.encodeIfPresent(httpStatus, forKey: .httpStatus)
        try values.encodeIfPresent(certificateExpiry, forKey: .certificateExpiry)
        try values.encodeIfPresent(response, forKey: .response)
        if isAwaitingResolver { try values.encode(true, forKey: .isAwaitingResolver) }
    }
}

extension Reply: Codable {
    private enum CodingKeys: String, CodingKey {
        case roundTrip, phases, detail, concern, certificateExpiry, certificate, httpStatus
    }

    /// Decodes a reply.
    ///
    /// - Throws: `DecodingError`, for example for an unknown phase.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            roundTrip: try values.decodeIfPresent(Duration.self, forKey: .roundTrip),
            phases: try values.decodeIfPresent([PhaseTime].self, forKey: .phases) ?? [],
            detail: try values.decodeIfPresent(String.self, forKey: .detail),
            concern: try values.decodeIfPresent(String.self, forKey: .concern),
            certificateExpiry: try values.decodeIfPresent(Int64.self, forKey: .certificateExpiry),
            httpStatus: try values.decodeIfPresent(Int.self, forKey: .httpStatus)
        )
        certificate = try values.decodeIfPresent(CertificateIdentity.self, forKey: .certificate)
    }

    /// Encodes the reply with the names of its properties; those without a value are left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(roundTrip, forKey: .roundTrip)
        if !phases.isEmpty { try values.encode(phases, forKey: .phases) }
        try values.encodeIfPresent(detail, forKey: .detail)
        try values.encodeIfPresent(concern, forKey: .concern)
        try values.encodeIfPresent(certificateExpiry, forKey: .certificateExpiry)
        try values.encodeIfPresent(certificate, forKey: .certificate)
        try values.encodeIfPresent(httpStatus, forKey: .httpStatus)
    }
}

extension Outcome: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case reply, timeout, failure, fault
    }

    /// Decodes an outcome.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .reply: .reply(try values.decode(Reply.self, forKey: key))
            case .timeout: .timeout
            case .failure: .failure(try values.decode(Failure.self, forKey: key))
            case .fault: .fault(try values.decode(Fault.self, forKey: key))
            }
    }

    /// Encodes the outcome as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .reply(let reply): try values.encode(reply, forKey: .reply)
        case .timeout: try values.encode(NoValue(), forKey: .timeout)
        case .failure(let failure): try values.encode(failure, forKey: .failure)
        case .fault(let fault): try values.encode(fault, forKey: .fault)
        }
    }
}

extension Observation: Codable {
    private enum CodingKeys: String, CodingKey {
        case target, sequence, sent, time, outcome, address
    }

    /// Decodes an observation.
    ///
    /// - Throws: `DecodingError`, for example for an unknown outcome.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            target: try values.decode(Target.ID.self, forKey: .target),
            sequence: try values.decode(Int.self, forKey: .sequence),
            sent: try values.decodeIfPresent(Duration.self, forKey: .sent),
            time: try values.decode(Duration.self, forKey: .time),
            outcome: try values.decode(Outcome.self, forKey: .outcome),
            address: try values.decodeIfPresent(String.self, forKey: .address)
        )
    }

    /// Encodes the observation with the names of its properties.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(target, forKey: .target)
        try values.encode(sequence, forKey: .sequence)
        try values.encode(sent, forKey: .sent)
        try values.encode(time, forKey: .time)
        try values.encode(outcome, forKey: .outcome)
        try values.encodeIfPresent(address, forKey: .address)
    }
}

extension Target.ID: Codable {
    /// Decodes an identity from its number.
    ///
    /// - Throws: `DecodingError`, unless it is an integer.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(rawValue)
    }
}

// An enumeration is encoded as Swift does it (SE-0295,
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0295-codable-synthesis-for-enums-with-associated-values.md):
// an object whose only key is the name of the case. Where a case has one value without a label, that value stands in place
// of an object with the key `_0`.

/// The value of a case that has none: an empty object.
package struct NoValue: Codable {
    /// Creates it.
    package init() {}
}

extension Decoder {
    /// The container of an enumeration, and the key of its case.
    ///
    /// - Throws: `DecodingError`, unless exactly one key is the name of a case.
    package func caseContainer<Key: CodingKey & CaseIterable>(
        keyedBy type: Key.Type
    ) throws -> (values: KeyedDecodingContainer<Key>, key: Key) {
        let values = try container(keyedBy: type)
        guard let key = values.allKeys.first, values.allKeys.count == 1 else {
            let names = Key.allCases.map(\.stringValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: codingPath, debugDescription: "one key is expected, of \(names)")
            )
        }
        return (values, key)
    }
}
