extension Cause: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case replies, losses, faults, slow, concern, lossy
    }

    private struct Replies: Codable {
        let count: Int
    }

    private struct Losses: Codable {
        let count: Int
        let failure: Failure?
    }

    private struct Faults: Codable {
        let count: Int
        let fault: Fault
    }

    private struct Slow: Codable {
        let roundTrip: Duration
        let limit: Duration
    }

    private struct Lossy: Codable {
        let loss: Double
        let limit: Double
    }

    /// Decodes a cause.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        switch key {
        case .replies:
            self = .replies(try values.decode(Replies.self, forKey: key).count)
        case .losses:
            let losses = try values.decode(Losses.self, forKey: key)
            self = .losses(losses.count, losses.failure)
        case .faults:
            let faults = try values.decode(Faults.self, forKey: key)
            self = .faults(faults.count, faults.fault)
        case .slow:
            let slow = try values.decode(Slow.self, forKey: key)
            self = .slow(roundTrip: slow.roundTrip, limit: slow.limit)
        case .concern:
            self = .concern(try values.decode(String.self, forKey: key))
        case .lossy:
            let lossy = try values.decode(Lossy.self, forKey: key)
            self = .lossy(loss: lossy.loss, limit: lossy.limit)
        }
    }

    /// Encodes the cause as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .replies(let count): try values.encode(Replies(count: count), forKey: .replies)
        case .losses(let count, let failure):
            try values.encode(Losses(count: count, failure: failure), forKey: .losses)
        case .faults(let count, let fault): try values.encode(Faults(count: count, fault: fault), forKey: .faults)
        case .slow(let roundTrip, let limit):
            try values.encode(Slow(roundTrip: roundTrip, limit: limit), forKey: .slow)
        case .concern(let concern): try values.encode(concern, forKey: .concern)
        case .lossy(let loss, let limit): try values.encode(Lossy(loss: loss, limit: limit), forKey: .lossy)
        }
    }
}
