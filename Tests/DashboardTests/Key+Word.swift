import Screen

extension Key {
    /// The key that a story calls so: a character by itself, `^R` with control, others by their names.
    init?(word: String) {
        let names: [String: Key] = [
            "space": .character(" "), "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp,
            "pgdn": .pageDown, "home": .home, "end": .end, "enter": .enter, "esc": .escape, "tab": .tab,
            "backtab": .backTab, "backspace": .backspace, "delete": .delete, "insert": .insert, "f1": .function(1),
            "f9": .function(9), "wheelup": .wheelUp, "wheeldown": .wheelDown, "alt-x": .alt("x"),
        ]
        if let key = names[word] {
            self = key
        } else if word.count == 1, let character = word.first {
            self = .character(character)
        } else if word.count == 2, word.first == "^", let character = word.last {
            self = .control(Character(character.lowercased()))
        } else {
            return nil
        }
    }
}
