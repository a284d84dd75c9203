import Screen

/// The last line: the filter while it is typed, what just happened, or the most useful keys.
///
/// ```
///  space pause  / filter  s sort  r probe now  e events  ? help  q quit
/// ```
struct FooterView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        let position = Position(column: 1, row: area.row)
        frame.write(segments, at: position, limit: area.columns - 2, ellipsis: model.look.glyphs.ellipsis)
    }

    private var segments: [Segment] {
        let look = model.look
        if let prompt = model.prompt { return typed(prompt) }
        if let status = model.status { return [Segment(status.text, look[.text])] }
        let filter =
            model.filter.isEmpty
            ? []
            : [
                Segment("filter: \(model.filter.text)  ", look[.accent]), Segment("esc", look[.title]),
                Segment(" clears it  ", look[.faint]),
            ]
        let hints = KeyTable.bindings.flatMap { binding -> [Segment] in
            guard let hint = binding.hint else { return [] }
            let key = binding.name.prefix { $0 != " " }
            return [Segment(String(key), look[.title]), Segment(" \(hint)  ", look[.faint])]
        }
        return filter + hints
    }

    private func typed(_ prompt: LineEditor) -> [Segment] {
        let look = model.look
        let characters = Array(prompt.text)
        let before = String(characters[..<prompt.cursor])
        let under = prompt.cursor < characters.count ? String(characters[prompt.cursor]) : " "
        let after = String(characters.dropFirst(prompt.cursor + 1))
        var cursor = look[.text]
        cursor.attributes.insert(.reversed)
        return [
            Segment("filter: ", look[.accent]), Segment(before, look[.text]), Segment(under, cursor),
            Segment(after, look[.text]), Segment("   enter keeps it, esc clears it", look[.faint]),
        ]
    }
}
