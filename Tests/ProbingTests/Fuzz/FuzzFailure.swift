/// What should hold of every input and does not of this one.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String
}

/// Says what is wrong, unless it holds.
func hold(_ isTrue: Bool, _ claim: @autoclosure () -> String) throws {
    guard !isTrue else { return }
    throw FuzzFailure(description: claim())
}

/// Says what is wrong with a detail that goes to the screen: too much of it is the peer's, or a terminal would obey it.
func holdShort(_ detail: String) throws {
    let isPlain = detail.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    try hold(isPlain, "not printable: \(detail.debugDescription)")
    try hold(detail.unicodeScalars.count <= 80, "too long: \(detail.debugDescription)")
}
