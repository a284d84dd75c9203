import Screen

extension Key {
    /// Creates a key from its name in a story: a character by itself, `^R` with control, others by name.
    init?(name: String) {
        let names: [String: Key] = [
            "space": .character(" "), "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp,
            "pgdn": .pageDown, "home": .home, "end": .end, "enter": .enter, "esc": .escape, "tab": .tab,
            "backtab": .backTab, "backspace": .backspace, "delete": .delete, "insert": .insert, "f1": .function(1),
            "f9": .function(9), "wheelup": .wheelUp, "wheeldown": .wheelDown, "alt-x": .alt("x"),
        ]
        if let key = names[name] {
            self = key
        } else if name.count == 1, let character = name.first {
            self = .character(character)
        } else if name.count == 2, name.first == "^", let character = name.last {
            self = .control(Character(character.lowercased()))
        } else {
            return nil
        }
    }
}
