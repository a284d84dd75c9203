import ArgumentParser
import ReachMonitoring
import ReachReporting
import ReachSystem

/// `reach diff`: compares two files about times, such as before and after a change.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two files of reach incident: what a change broke.",
        usage: """
            reach incident -o before.jsonl
            reach incident -o after.jsonl    after the change
            reach diff before.jsonl after.jsonl && echo "nothing broke"
            """,
        discussion: """
            Compares the state of each target at the time of each file: its health and its reason, the median of its round trips \
            and its losses in the minutes before, its path, and which targets are only in one of them.
            Exit status: 0 nothing is worse, 1 something is worse, 2 usage error, or a file cannot be read.
            """
    )

    @Argument(
        help: ArgumentHelp("File of the time before.", valueName: "before"),
        completion: .file(extensions: ["jsonl"])
    )
    var before: String

    @Argument(
        help: ArgumentHelp("File of the time after.", valueName: "after"),
        completion: .file(extensions: ["jsonl"])
    )
    var after: String

    @Flag(help: "One JSON object a difference.")
    var json = false

    func run() throws {
        let (before, after) = (try IncidentFile(path: before).comparison, try IncidentFile(path: after).comparison)
        let differences = MomentDifference.all(from: before, to: after)
        if json {
            try StandardStreams.print(differences.map { DifferenceRecord($0).json }, isData: true)
        } else {
            let width = min(30, differences.map { $0.name.count }.max() ?? 0)
            try StandardStreams.print(
                differences.map {
                    "\($0.change.isWorse ? "worse" : "     ")  \($0.name.padded(to: width))  \($0.text)"
                },
                isData: true
            )
            let worse = differences.count { $0.change.isWorse }
            StandardStreams.printMessage(
                differences.isEmpty
                    ? "no difference"
                    : "\(differences.count) \(differences.count == 1 ? "difference" : "differences"), \(worse) worse"
            )
        }
        guard !differences.contains(where: \.change.isWorse) else { throw ExitCode(1) }
    }
}

extension StandardStreams {
    /// Prints lines.
    fileprivate static func print(_ lines: [String], isData: Bool) throws(ExitCode) {
        guard !lines.isEmpty else { return }
        try print(lines.joined(separator: "\n"), isData: isData)
    }
}

extension String {
    /// The text with blanks after it.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension IncidentFile {
    /// The state of all targets at the time of the incident, for a comparison.
    var comparison: [ComparedTarget] {
        var roster = Roster(keepsPast: true)
        _ = roster.apply(Settings(targets: targets), at: .zero)
        let assignments = roster.states.map { ProbeRequest.Assignment(id: $0.id, target: $0.target) }
        guard case .moment(let moment) = answer(.moment(time, assignments)) else { return [] }
        let past = roster.restored(to: moment, wall: wall).rewound(to: time - wall.start)
        return past.states.map { state in
            let minutes = moment.targets[state.id]?.minutes ?? []
            return ComparedTarget(state, minutes: minutes.filter { .seconds($0.number * 60) <= time })
        }
    }
}
