extension CommonCause {
    /// What failed: `silent hop after 10.1.0.1`, `10.1.0.1 or group Shops`.
    public var place: String {
        let names = placeNames
        return switch names.count {
        case 0: "unknown"
        case 1: names[0]
        case 2...3: "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
        default: "\(names[0]), \(names[1]) or \(names.count - 2) more"
        }
    }

    /// One line for the screen and for events:
    /// `14 down since 14:03 – silent hop after 10.1.0.1 (14 of 14 behind it; 83 others up)`.
    ///
    /// - Parameter timeOfDay: the text for a time since the start of the program.
    public func sentence(timeOfDay: (Duration) -> String) -> String {
        "\(explained) down since \(timeOfDay(since)) – \(place) (\(evidence))"
    }

    /// The line for a narrow screen: of several places, it names the first.
    package func shortSentence(timeOfDay: (Duration) -> String) -> String {
        let names = placeNames
        guard names.count > 1 else { return sentence(timeOfDay: timeOfDay) }
        return "\(explained) down since \(timeOfDay(since)) – \(names[0]) or \(names.count - 1) more (\(evidence))"
    }

    /// The words for each of the risks that are named.
    private var placeNames: [String] {
        let risks = shown
        return risks.map { risk in
            switch risk {
            case .silent(let position) where risks.count == 1: position.words(before: next)
            case .beyond(let address) where risks.count > 1: "behind \(address)"
            default: risk.words
            }
        }
    }

    /// What speaks for it: `14 of 14 behind it; 83 others up`.
    package var evidence: String { evidence(ofOthers: "up") }

    /// The same with another word for the targets that are not concerned.
    func evidence(ofOthers word: String) -> String {
        let others = othersUp == 0 ? "no others" : othersUp == 1 ? "1 other" : "\(othersUp) others"
        return "\(explained) of \(behind) \(shown.first?.relation ?? "behind it"); \(others) \(word)"
    }

    /// The risks that are named. The address of a host or a gateway is not named a second time, as a hop.
    private var shown: [Risk] {
        let addresses = Set(accused.compactMap { if case .address(let address) = $0 { address } else { nil } })
        let gateways = Set(accused.compactMap { if case .gateway(let address) = $0 { address } else { nil } })
        return accused.filter { risk in
            switch risk {
            case .hop(let address): !addresses.contains(address) && !gateways.contains(address)
            case .address(let address): !gateways.contains(address)
            default: true
            }
        }
    }
}

extension CauseNews {
    /// The news as a sentence without its time.
    package var summary: String {
        switch self {
        case .named(let cause): "\(cause.explained) down – \(cause.place) (\(cause.evidence))"
        case .moved(let cause): "another place: \(cause.place) (\(cause.evidence))"
        case .joined(let cause): "more down: \(cause.place) (\(cause.evidence))"
        case .ended(let cause, let successor):
            "\(cause.place): \(successor == nil ? "over" : "part of another cause"), \(cause.explained) were down"
        }
    }
}

extension Risk {
    /// The stable name of its kind, for programs.
    package var kindName: String {
        switch self {
        case .hop: "hop"
        case .silent: "silent_hop"
        case .beyond: "beyond"
        case .gateway: "gateway"
        case .link: "link"
        case .subnet: "subnet"
        case .resolver: "resolver"
        case .certificate: "certificate"
        case .issuer: "issuer"
        case .address: "address"
        case .proxy: "proxy"
        case .parent: "parent"
        case .group: "group"
        case .vantagePoint: "vantage_point"
        }
    }

    /// Its address or name; nil for a silent hop.
    package var name: String? {
        switch self {
        case .silent: nil
        case .hop(let name), .beyond(let name), .gateway(let name), .link(let name), .subnet(let name),
            .resolver(let name), .certificate(let name), .issuer(let name), .address(let name), .proxy(let name),
            .parent(let name), .group(let name), .vantagePoint(let name):
            name
        }
    }

    /// What it is, for people.
    public var words: String {
        switch self {
        case .hop(let address): address
        case .silent(let position): position.words(before: nil)
        case .beyond(let address): "behind \(address), which answers"
        case .gateway(let address): "gateway \(address)"
        case .link(let name): "link \(name)"
        case .subnet(let network): "subnet \(network)"
        case .resolver(let address): "resolver \(address)"
        case .certificate(let name): "certificate \(name)"
        case .issuer(let name): "issuer \(name)"
        case .address(let address): "host \(address)"
        case .proxy(let address): "proxy \(address)"
        case .parent(let label): label
        case .group(let name): "group \(name)"
        case .vantagePoint(let name): "vantage point \(name)"
        }
    }

    /// How the targets relate to it.
    fileprivate var relation: String {
        switch self {
        case .hop, .silent, .beyond, .gateway, .link, .proxy, .parent: "behind it"
        case .subnet, .group: "in it"
        case .resolver, .certificate, .address: "that use it"
        case .issuer: "with its certificates"
        case .vantagePoint: "seen from it"
        }
    }
}

extension SilentPosition {
    /// `silent hop after 10.1.0.1`, `2nd silent hop after 10.1.0.1`, `silent hop between 10.1.0.1 and 10.2.0.1`.
    func words(before next: String?) -> String {
        guard let previous else { return "\(ordinal)silent hop from here" }
        guard let next else { return "\(ordinal)silent hop after \(previous)" }
        return "\(ordinal)silent hop between \(previous) and \(next)"
    }

    private var ordinal: String {
        guard number > 1 else { return "" }
        let isTeen = (11...13).contains(number % 100)
        let suffix =
            switch number % 10 {
            case 1 where !isTeen: "st"
            case 2 where !isTeen: "nd"
            case 3 where !isTeen: "rd"
            default: "th"
            }
        return "\(number)\(suffix) "
    }
}
