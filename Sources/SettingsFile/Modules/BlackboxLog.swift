/// The problems of a file of the blackbox exporter.
final class BlackboxLog {
    private let file: String
    private(set) var problems: [SettingsProblem] = []

    init(file: String) {
        self.file = file
    }

    /// Adds a problem.
    func report(_ message: String, hint: String? = nil, about keyPath: String, line: Int) {
        problems.append(SettingsProblem(file: file, line: line, keyPath: keyPath, message: message, hint: hint))
    }
}
