import Monitoring

/// An entry of the events, with the output of a hook below it.
struct LogEntry: Sendable, Hashable {
    /// When the event happened, since the start of the program.
    let time: Duration
    /// The subject of the event.
    let subject: Subject
    /// The description of the event.
    let text: String
    /// An additional note, shown after the text.
    let note: String?
    /// Lines shown below the entry, such as a hook's output.
    let lines: [String]

    /// The subject of an event, which selects its glyph.
    enum Subject: Sendable, Hashable {
        /// A transition of a target's health.
        case health(name: String, Transition)
        /// A hook of a target; `isSuccess` is nil until its run has finished.
        case hook(name: String, isSuccess: Bool?)
        /// Another event of a target.
        case target(name: String)
        /// A blocked target, or the blocker of several.
        case blocked(name: String)
        /// A target that starts or stops flapping.
        case flapping(name: String)
        /// A target that cannot be probed.
        case fault(name: String)
        /// The program itself.
        case program(isProblem: Bool)

        /// Whether the subject is the target of this label, and not one of its hooks.
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

    init(_ time: Duration, _ subject: Subject, _ text: String, note: String? = nil, lines: [String] = []) {
        self.time = time
        self.subject = subject
        self.text = text
        self.note = note
        self.lines = lines
    }
}

/// The bounded list of events, oldest first.
struct EventLog: Sendable {
    /// The maximum number of entries: enough for a day with many outages, within bounded memory.
    static let capacity = 2_000

    private(set) var entries: [LogEntry] = []

    /// Appends the newest entry.
    mutating func append(_ entry: LogEntry) {
        entries.append(entry)
        // Removing a quarter at a time amortizes the cost of moving the rest.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }
}
