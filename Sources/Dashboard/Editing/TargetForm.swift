import Monitoring
import ReachBasics
import Screen

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
