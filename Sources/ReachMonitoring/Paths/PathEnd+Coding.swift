extension PathEnd: Codable {
    /// The keys of all cases.
    private struct Form: Codable {
        let kind: String
        var hop: Int?
        var address: String?
        var addresses: [String]?
        var obstacle: PathAnswer.Obstacle?
        var length: Int?
    }

    /// Decodes an end.
    ///
    /// - Throws: `DecodingError` for a kind that is unknown, or that lacks a key.
    public init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        switch (form.kind, form.hop, form.address) {
        case ("not_sent", _, _): self = .notSent
        case ("nothing", _, _): self = .nothing
        case ("reached", let hop?, let address?): self = .reached(hop: hop, address: address)
        case ("reached_elsewhere", let hop?, let address?): self = .reachedElsewhere(hop: hop, address: address)
        case ("refused", let hop?, let address?): self = .refused(hop: hop, address: address)
        case ("silent", let hop?, let address?): self = .silent(hop: hop, address: address, length: form.length)
        case ("limited", let hop?, let address?): self = .limited(hop: hop, address: address)
        case ("loop", let hop?, _): self = .loop(hop: hop, addresses: form.addresses ?? [])
        case ("unreachable", let hop?, let address?):
            self = .unreachable(form.obstacle ?? .hostUnreachable, hop: hop, address: address)
        default:
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "not the end of a path"
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Encodes the kind with its values.
    public func encode(to encoder: any Encoder) throws {
        var form = Form(kind: kind, hop: hop, address: address)
        switch self {
        case .loop(_, let addresses): (form.address, form.addresses) = (nil, addresses)
        case .unreachable(let obstacle, _, _): form.obstacle = obstacle
        case .silent(_, _, let length): form.length = length
        case .notSent, .reached, .reachedElsewhere, .refused, .limited, .nothing: break
        }
        try form.encode(to: encoder)
    }
}
