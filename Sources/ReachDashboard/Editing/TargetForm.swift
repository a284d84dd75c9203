import ReachBasics
import ReachMonitoring
import ReachScreen

/// The form with the values of a target: a line for each.
struct TargetForm: Sendable, Hashable {
    /// The name of the target.
    let target: String
    /// The interval in use, which the form shows if the target has none of its own.
    let interval: Duration?
    /// The values that the settings have.
    private let original: TargetFields
    private var lines: [TargetKey: LineEditor]
    /// The key of the line with the cursor.
    private(set) var selected = TargetKey.name
    /// The problem with the entered values or the last key; the next key clears it.
    var problem: String?

    init(_ fields: TargetFields, of target: String, interval: Duration?) {
        (self.target, self.interval) = (target, interval)
        original = fields
        lines = fields.values.mapValues { LineEditor($0) }
    }

    /// The line of a key.
    subscript(key: TargetKey) -> LineEditor { lines[key] ?? LineEditor() }

    func isLocked(_ key: TargetKey) -> Bool { original.locked.contains(key) }

    /// The values that were changed.
    var changes: [TargetKey: String] {
        lines.mapValues { $0.text.trimmed }.filter { $0.value != original.values[$0.key] ?? "" }
    }

    /// Handles a key that edits or moves.
    ///
    /// - Returns: Whether the key is one of those.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .tab, .down, .control("n"): move(by: 1)
        case .backTab, .up, .control("p"): move(by: -1)
        default:
            var line = self[selected]
            let isFull = line.isFull(for: key)
            guard line.handle(key) else { return false }
            problem = nil
            if isLocked(selected) {
                problem = "written as a list or in several lines – change it in the file"
            } else if isFull {
                problem = Prompt.lineTooLong
            } else {
                lines[selected] = line
            }
        }
        return true
    }

    private mutating func move(by step: Int) {
        let keys = TargetKey.allCases
        let index = (keys.firstIndex(of: selected) ?? 0) + step
        selected = keys[(index + keys.count) % keys.count]
        problem = nil
    }
}

/// The form of a target, above the footer. If the screen is low, it shows the lines around the selected one.
///
/// ```
///  edit NAS ─────────────────────────────────────────────────
///  name            NAS
///  URL             tcp://nas.local:445
///  interval        2s (not set here)
///  when reachable  mount /mnt/nas
///  enter applies the changes, tab goes to the next line, esc cancels
/// ```
struct FormView {
    let appearance: Appearance
    let form: TargetForm

    private var ellipsis: Character { appearance.glyphs.ellipsis }

    /// Draws the form in the lowest rows of an area.
    func draw(in area: Area, on frame: inout Frame) {
        guard area.rows > 0, area.columns > 2 else { return }
        let keys = TargetKey.allCases
        let height = min(keys.count + 2, area.rows)
        let top = area.row + area.rows - height
        let blank = String(repeating: " ", count: area.columns)
        for row in top..<(top + height) {
            frame.write(blank, at: Position(column: 0, row: row), style: appearance[.text])
        }
        let hasHeading = height == keys.count + 2
        if hasHeading {
            let heading = Area(row: top, rows: 1, columns: area.columns)
            frame.writeHeading("edit \(form.target)", in: heading, appearance: appearance)
        }
        let hasFooter = height > 1
        let lines = height - (hasHeading ? 1 : 0) - (hasFooter ? 1 : 0)
        let selected = keys.firstIndex(of: form.selected) ?? 0
        let first = min(max(0, selected - lines + 1), keys.count - lines)
        for (index, key) in keys[first..<(first + lines)].enumerated() {
            let position = Position(column: 1, row: top + (hasHeading ? 1 : 0) + index)
            frame.write(
                segments(of: key, width: area.columns - 2),
                at: position,
                limit: area.columns - 2,
                ellipsis: ellipsis
            )
        }
        guard hasFooter else { return }
        let hint = form.problem ?? "enter applies the changes, tab goes to the next line, esc cancels"
        frame.write(
            [Segment(hint, appearance[form.problem == nil ? .faint : .down])],
            at: Position(column: 1, row: top + height - 1),
            limit: area.columns - 2,
            ellipsis: ellipsis
        )
    }

    /// The label and the text of a line, with the cursor in the selected one. A long text is truncated at its start, so that
    /// the cursor is visible.
    private func segments(of key: TargetKey, width: Int) -> [Segment] {
        let isSelected = key == form.selected
        let labelWidth = min(TargetKey.labelWidth, max(4, width / 3))
        let label = key.label.truncated(toColumns: labelWidth, ellipsis: ellipsis).padded(toColumns: labelWidth)
        let head = Segment("\(label)  ", appearance[isSelected ? .accent : .faint])
        let line = form[key]
        let placeholder = Segment(line.text.isEmpty ? placeholder(of: key) : "", appearance[.faint])
        guard isSelected else { return [head, Segment(line.text, appearance[.text]), placeholder] }
        let characters = Array(line.text)
        let under = line.cursor < characters.count ? String(characters[line.cursor]) : " "
        let free = max(1, width - head.text.displayWidth - under.displayWidth)
        var cursor = appearance[.text]
        cursor.attributes.insert(.reversed)
        return [
            head,
            Segment(
                String(characters[..<line.cursor]).truncatedAtStart(toColumns: free, ellipsis: ellipsis),
                appearance[.text]
            ),
            Segment(under, cursor),
            Segment(String(characters.dropFirst(line.cursor + 1)), appearance[.text]),
            placeholder,
        ]
    }

    /// The text in place of an empty value.
    private func placeholder(of key: TargetKey) -> String {
        switch key {
        case .url where form.isLocked(key): "(it contains a password: see the file)"
        case _ where form.isLocked(key): "(a list or several lines: see the file)"
        case .name: "(from the URL)"
        case .url: ""
        case .interval: form.interval.map { "(not set here: \($0.spanText))" } ?? ""
        case .whenReachable: "(no command)"
        }
    }
}

extension TargetKey {
    /// The label in the form.
    fileprivate var label: String {
        switch self {
        case .name: "name"
        case .url: "URL"
        case .interval: "interval"
        case .whenReachable: "when reachable"
        }
    }

    fileprivate static let labelWidth = allCases.map(\.label.count).max() ?? 0
}
