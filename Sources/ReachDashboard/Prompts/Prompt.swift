import ReachBasics
import ReachMonitoring
import ReachScreen

/// A prompt for a line of text.
struct Prompt: Sendable, Hashable {
    /// What the line is for.
    enum Purpose: Sendable, Hashable {
        /// The filter; it applies while it is typed.
        case filter
        /// A command for these targets, with this name, to run once each when they are reachable.
        case command([Target.ID], of: String)
        /// The reason why the failure of these targets, with this name, is known; an empty line removes
        /// acknowledgements.
        case reason([Target.ID], of: String, isAcknowledged: Bool)
        /// The reason of a silence of the alerts with a label, about these targets; its length can precede it. An empty
        /// line removes acknowledgements.
        case silence(LabelMatcher, of: String, [Target.ID], isAcknowledged: Bool)
        /// The palette: words that select an action from the list above the prompt.
        case action
        /// A new target, to add below the one of this name.
        case target(below: String?)
        /// The name of a new settings file.
        case file
    }

    let purpose: Purpose
    private(set) var line: LineEditor
    /// The problem with the entered line or the last key; the next key clears it.
    var problem: String?
    /// The index of the selected row in the palette.
    var choice = 0
    /// Earlier lines for recall and completion, the newest last.
    private let history: [String]
    /// The history line that is shown; nil while the user's own line is shown.
    private var historyIndex: Int?
    /// The user's own line, kept while history lines are shown.
    private var ownLine = ""

    init(_ purpose: Purpose, text: String = "", history: [String]) {
        self.purpose = purpose
        self.history = history
        line = LineEditor(text)
    }

    /// The rest of the newest history line that begins with this line. Empty without one, or when the cursor is not at
    /// the end.
    var completion: String {
        guard historyIndex == nil, !line.text.isEmpty, line.cursor == line.text.count else { return "" }
        let match = history.last { $0.count > line.text.count && $0.hasPrefix(line.text) }
        return match.map { String($0.dropFirst(line.text.count)) } ?? ""
    }

    /// Handles a key that edits, completes or recalls.
    ///
    /// - Returns: Whether the key is one of those.
    mutating func handle(_ key: Key) -> Bool {
        let isFull = line.isFull(for: key)
        switch key {
        case .up, .control("p"):
            recall((historyIndex ?? history.count) - 1)
        case .down, .control("n"):
            recall((historyIndex ?? history.count) + 1)
        case .tab where !completion.isEmpty, .right where !completion.isEmpty:
            line = LineEditor(line.text + completion)
        default:
            guard line.handle(key) else { return false }
            historyIndex = nil
            choice = 0
        }
        problem = isFull ? Self.lineTooLong : nil
        return true
    }

    static let lineTooLong = "line too long: at most \(LineEditor.limit) characters"

    /// Shows the history line at an index, or the user's own line after the last one.
    private mutating func recall(_ index: Int) {
        guard !history.isEmpty, index >= 0 else { return }
        if historyIndex == nil { ownLine = line.text }
        historyIndex = index < history.count ? index : nil
        line = LineEditor(historyIndex.map { history[$0] } ?? ownLine)
    }
}

/// An editable line of text with a cursor.
struct LineEditor: Sendable, Hashable {
    private(set) var text: String
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    /// The maximum length in characters: enough for a long command.
    static let limit = 2_000

    init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    /// Handles a key that edits or moves the cursor.
    ///
    /// - Returns: Whether the key is one of those.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let pasted): insert(pasted)
        case .backspace, .control("h"): delete(from: cursor - 1, to: cursor)
        case .delete, .control("d"): delete(from: cursor, to: cursor + 1)
        case .control("u"): delete(from: 0, to: cursor)
        case .control("k"): delete(from: cursor, to: text.count)
        case .control("w"): delete(from: startOfWord, to: cursor)
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        default: return false
        }
        return true
    }

    /// Whether a key would exceed the limit. Such a key inserts nothing, since half of a command is a different
    /// command.
    func isFull(for key: Key) -> Bool {
        switch key {
        case .character(let character): !fits(Self.printable(String(character)))
        case .paste(let pasted): !fits(Self.printable(pasted))
        default: false
        }
    }

    private func fits(_ printable: String) -> Bool {
        text.count + printable.count <= Self.limit
    }

    /// The text as it is inserted: without control characters. Line ends and tabs become blanks, since only the key enter
    /// enters a line.
    private static func printable(_ text: String) -> String {
        String(
            text.compactMap { character -> Character? in
                if character.isNewline || character == "\t" { return " " }
                return character.unicodeScalars.contains(where: \.isControl) ? nil : character
            }
        )
    }

    private mutating func insert(_ new: String) {
        let printable = Self.printable(new)
        guard fits(printable) else { return }
        text.insert(contentsOf: printable, at: text.index(text.startIndex, offsetBy: cursor))
        // A combining mark merges with the character before it, so the count may grow by less.
        cursor = min(text.count, cursor + printable.count)
    }

    private mutating func delete(from start: Int, to end: Int) {
        let (start, end) = (max(0, start), min(text.count, end))
        guard start < end else { return }
        let range = text.index(text.startIndex, offsetBy: start)..<text.index(text.startIndex, offsetBy: end)
        text.removeSubrange(range)
        cursor = start
    }

    private var startOfWord: Int {
        let before = Array(text).prefix(cursor)
        let word = before.reversed().drop { $0 == " " }.prefix { $0 != " " }
        let blanks = before.reversed().prefix { $0 == " " }
        return cursor - blanks.count - word.count
    }
}
