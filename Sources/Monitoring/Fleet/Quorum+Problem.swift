extension Quorum {
    /// Why a text is not a quorum, and the fix; nil if it is one.
    package static func problem(in text: String) -> (message: String, hint: String)? {
        guard Quorum(text) == nil else { return nil }
        let hint = "majority, all, any or a number from 1 to \(VantagePoints.capacity)"
        guard let number = Int(text) else { return ("unknown quorum \(text.quotedOnOneLine)", hint) }
        return (number < 1 ? "must be at least 1" : "must be at most \(VantagePoints.capacity)", hint)
    }
}
