extension Acknowledgement {
    /// The acknowledgement as the rest of a sentence that begins with the target's name: `acknowledged for 2h: new switch
    /// ordered`.
    public var summary: String {
        "acknowledged\(length.map { " for \($0.settingsText)" } ?? ""): \(reason)"
    }

    /// The acknowledgement with the time that is left: `acknowledged: new switch ordered, 1h58m left`.
    public func summary(at now: Duration) -> String {
        "acknowledged: \(reason), \(deadline.map { "\(($0 - now).spanText) left" } ?? "until it is up")"
    }
}

extension Acknowledgement.End {
    /// The end as a sentence: `acknowledgement ended: up again`.
    public var summary: String {
        switch self {
        case .up: "acknowledgement ended: up again"
        case .expired(let length): "acknowledgement ended after \(length.settingsText)"
        case .removed: "acknowledgement removed"
        }
    }
}
