import Monitoring

/// A line of the events, and what hooks said below it.
struct LogEntry: Sendable, Hashable {
    /// When it happened, since the start of the program.
    let time: Duration
    /// What the line is about.
    let subject: Subject
    /// What happened.
    let text: String
    /// What a reader may want to know besides.
    let aside: String?
    /// Lines that belong below, such as a hook's output.
    let lines: [String]

    /// What a line is about, which decides its glyph.
    enum Subject: Sendable, Hashable {
        /// A change of a target's health.
        case health(name: String, Transition)
        /// A hook of a target; whether it went well, once that is known.
        case hook(name: String, isSuccess: Bool?)
        /// Something else about a target.
        case target(name: String)
        /// A target that is blocked, or what blocks several.
        case blocked(name: String)
        /// A target that changes its health too often.
        case flapping(name: String)
        /// A target that we cannot ask.
        case fault(name: String)
        /// The program itself.
        case program(isTrouble: Bool)

        /// Whether it is the target of this label itself, and not one of its hooks.
        func isAbout(_ label: String) -> Bool {
            switch self {
            case .hook, .program: false
            case .health, .target, .blocked, .flapping, .fault: name == label
            }
        }

        var name: String {
            switch self {
            case .health(let name, _), .hook(let name, _), .target(let name), .blocked(let name),
                .flapping(let name), .fault(let name):
                name
            case .program: "reach"
            }
        }
    }

    init(_ time: Duration, _ subject: Subject, _ text: String, aside: String? = nil, lines: [String] = []) {
        self.time = time
        self.subject = subject
        self.text = text
        self.aside = aside
        self.lines = lines
    }
}
