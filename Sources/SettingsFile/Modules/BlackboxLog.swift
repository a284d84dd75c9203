/// The problems of a file of the blackbox exporter.
final class BlackboxLog {
    private let file: String
    /// The reasons to refuse the file, as the blackbox exporter does.
    private(set) var problems: [SettingsProblem] = []
    /// Why reach cannot probe by the module that is being read: the first reason; nil if it can.
    var unsupported: SettingsProblem?

    init(file: String) {
        self.file = file
    }

    /// Adds a problem.
    func report(_ message: String, hint: String? = nil, about keyPath: String, line: Int) {
        problems.append(problem(message, hint, keyPath, line))
    }

    /// Notes that the blackbox exporter accepts a part of a module, and reach cannot probe by it.
    func noteUnsupported(_ message: String, hint: String? = nil, about keyPath: String, line: Int) {
        unsupported = unsupported ?? problem(message, hint, keyPath, line)
    }

    private func problem(_ message: String, _ hint: String?, _ keyPath: String, _ line: Int) -> SettingsProblem {
        SettingsProblem(file: file, line: line, keyPath: keyPath, message: message, hint: hint)
    }
}
