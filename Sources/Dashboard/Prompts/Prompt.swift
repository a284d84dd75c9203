import Monitoring
import Screen

/// A line that the user is asked for, and what it is for.
struct Prompt: Sendable, Hashable {
    /// What the line is for.
    enum Purpose: Sendable, Hashable {
        /// Which targets are shown; it holds while it is typed.
        case filter
        /// What these targets, called this, are to run once each when they are reachable.
        case command([Target.ID], of: String)
    }

    let purpose: Purpose
    private(set) var line: LineEditor
    /// What is wrong with the line as it was entered, or with what was to come into it, until the next key.
    var complaint: String?
    /// Lines to go back to and to complete from, the newest last.
    private let earlier: [String]
    /// Which of the earlier lines is shown; nil for the user's own.
    private var place: Int?
    /// What the user had typed before going back.
    private var own = ""

    init(_ purpose: Purpose, text: String = "", earlier: [String]) {
        self.purpose = purpose
        self.earlier = earlier
        line = LineEditor(text)
    }

    /// The rest of the newest earlier line that begins as this one does; empty when there is none, or when the cursor is
    /// not at the end.
    var completion: String {
        guard place == nil, !line.text.isEmpty, line.cursor == line.text.count else { return "" }
        let match = earlier.last { $0.count > line.text.count && $0.hasPrefix(line.text) }
        return match.map { String($0.dropFirst(line.text.count)) } ?? ""
    }

    /// Takes a key that edits, completes, or goes through the earlier lines; false for one that does not.
    mutating func take(_ key: Key) -> Bool {
        let isFull = line.isFull(for: key)
        switch key {
        case .up, .control("p"):
            show((place ?? earlier.count) - 1)
        case .down, .control("n"):
            show((place ?? earlier.count) + 1)
        case .tab where !completion.isEmpty, .right where !completion.isEmpty:
            line = LineEditor(line.text + completion)
        default:
            guard line.take(key) else { return false }
            place = nil
        }
        complaint = isFull ? Self.noRoom : nil
        return true
    }

    private static let noRoom = "no room: a line has at most \(LineEditor.limit) characters"

    private mutating func show(_ wanted: Int) {
        guard !earlier.isEmpty, wanted >= 0 else { return }
        if place == nil { own = line.text }
        place = wanted < earlier.count ? wanted : nil
        line = LineEditor(place.map { earlier[$0] } ?? own)
    }
}
