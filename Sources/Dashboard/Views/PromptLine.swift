import Screen

/// The line that is typed, with its cursor, a completion, and what enter does or what is wrong.
struct PromptLine {
    let model: Model
    let prompt: Prompt

    /// The narrowest part of the line that is worth showing.
    private static let narrowest = 8

    private var look: Look { model.look }

    /// The segments for a width. A long line is cut at its front, so that the cursor is seen. A complaint is seen too, at
    /// the cost of what follows the cursor; a hint only where there is room for half of it.
    func segments(room: Int) -> [Segment] {
        let label = Segment(label, look[.accent])
        let hint = hint
        let isUrgent = prompt.complaint != nil
        let free = max(Self.narrowest, room - label.text.displayWidth - (isUrgent ? hint.text.displayWidth : 0))
        let (line, completion) = (prompt.line, prompt.completion)
        let characters = Array(line.text)
        let under =
            line.cursor < characters.count
            ? String(characters[line.cursor]) : completion.first.map { String($0) } ?? " "
        let before = end(of: characters[..<line.cursor], in: free - under.displayWidth)
        let left = free - (before + under).displayWidth
        let after = String(characters.dropFirst(line.cursor + 1))
        let rest = isUrgent ? "" : String(completion.dropFirst())
        let isSpoken = isUrgent || (after + rest).displayWidth + hint.text.displayWidth / 2 <= left
        var cursor = look[.text]
        cursor.attributes.insert(.reversed)
        return [
            label, Segment(before, look[.text]), Segment(under, cursor),
            Segment(isUrgent ? after.truncated(toColumns: left, ellipsis: ellipsis) : after, look[.text]),
            Segment(rest, look[.faint]),
        ] + (isSpoken ? [hint] : [])
    }

    private var ellipsis: Character { model.look.glyphs.ellipsis }

    /// What stands before the cursor, or its end, with a sign that something is left out.
    private func end(of characters: ArraySlice<Character>, in columns: Int) -> String {
        guard String(characters).displayWidth > columns else { return String(characters) }
        var (end, width) = ("", ellipsis.displayWidth)
        for character in characters.reversed() {
            width += character.displayWidth
            guard width <= columns else { break }
            end.append(character)
        }
        return "\(ellipsis)\(String(end.reversed()))"
    }

    private var label: String {
        switch prompt.purpose {
        case .filter: "filter: "
        case .command(let ids, let name):
            ids.count == 1 ? "run once \(name) is reachable: " : "run once for each of \(name) when reachable: "
        }
    }

    private var hint: Segment {
        if let complaint = prompt.complaint { return Segment("   \(complaint)", look[.down]) }
        let text =
            switch prompt.purpose {
            case .filter: "enter keeps it, esc clears it"
            case .command: prompt.completion.isEmpty ? "enter arms it, esc drops it" : "tab completes, enter arms it"
            }
        return Segment("   \(text)", look[.faint])
    }
}
