import Screen

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
        case .character(let character): !hasRoom(for: Self.printable(String(character)))
        case .paste(let pasted): !hasRoom(for: Self.printable(pasted))
        default: false
        }
    }

    private func hasRoom(for printable: String) -> Bool {
        text.count + printable.count <= Self.limit
    }

    /// The text as it is inserted: without control characters. Line ends and tabs become blanks, since only the key enter
    /// enters a line.
    private static func printable(_ text: String) -> String {
        String(
            text.compactMap { character -> Character? in
                if character.isNewline || character == "\t" { return " " }
                return character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? nil : character
            }
        )
    }

    private mutating func insert(_ new: String) {
        let printable = Self.printable(new)
        guard hasRoom(for: printable) else { return }
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
