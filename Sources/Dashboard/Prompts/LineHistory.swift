/// Lines that were entered, the newest last, each once.
struct LineHistory: Sendable, Hashable {
    /// More than this nobody goes back.
    static let capacity = 200

    private(set) var lines: [String] = []

    /// Takes a line in that was entered.
    mutating func remember(_ line: String) {
        guard !line.isEmpty else { return }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > Self.capacity { lines.removeFirst() }
    }
}
