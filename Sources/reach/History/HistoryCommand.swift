import ArgumentParser
import Foundation
import ReachHistory
import ReachMonitoring
import ReachReporting
import ReachSystem

/// `reach history`: shows, exports, imports and prunes the history, and forgets targets.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show, export, import or prune the history, or forget a target.",
        usage: """
            reach history                            path, size and range
            reach history --export jsonl > all.jsonl
            reach history --import jsonl < all.jsonl
            reach history --prune                    remove what is older than the settings keep
            reach history --forget NAME              remove a target and all that is stored of it
            """,
        discussion: """
            reach and reach watch write the history while they run, into $XDG_STATE_HOME/reach/history.sqlite, or \
            ~/.local/state/reach/history.sqlite. An import adds what the file lacks; a second one adds nothing. An export \
            has no samples of single probes.
            Exit status: 0 done, 1 standard output cannot be written, 2 usage error, or the history cannot be read or \
            written.
            """
    )

    /// The formats of an export.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// A JSON object in each line.
        case jsonl
    }

    @Option(
        name: .customLong("export"),
        help: ArgumentHelp("Print everything, in this format: jsonl.", valueName: "format")
    )
    var export: Format?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Add everything from standard input, in this format: jsonl.", valueName: "format")
    )
    var importing: Format?

    @Flag(help: "Remove what is older than the settings keep, and return the space to the system.")
    var prune = false

    @Flag(help: "With --prune: also remove what is more than a day later than the present time.")
    var future = false

    @Option(
        name: .customLong("forget"),
        help: ArgumentHelp("Remove the target with this name or URL and all that is stored of it.", valueName: "name"),
        completion: .custom(TargetCompletion.targetArguments)
    )
    var forgotten: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file, for --prune. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func validate() throws {
        guard !future || prune else { throw ValidationError("--future needs --prune") }
        let count = [export != nil, importing != nil, prune, forgotten != nil].count { $0 }
        guard count <= 1 else { throw ValidationError("--export, --import, --prune and --forget cannot be combined") }
        guard config == nil || prune else { throw ValidationError("--config needs --prune") }
    }

    func run() throws {
        do {
            if export != nil {
                try exportAll()
            } else if importing != nil {
                try importAll()
            } else if prune {
                let settings = try TargetSource.settings(of: config)?.stored ?? HistorySettings()
                // Opening it for writing would create a missing file.
                _ = try HistoryDatabase.opened(for: .read)
                let now = Duration.seconds(Date().timeIntervalSince1970)
                try HistoryDatabase.opened(for: .write).prune(settings, at: now, withFuture: future)
            } else if let forgotten {
                try forget(forgotten)
            } else {
                try printSummary()
            }
        } catch let failure as HistoryFailure {
            throw StartupError(failure.description)
        }
    }

    private func printSummary() throws {
        let database = try HistoryDatabase.opened(for: .read)
        let summary = try database.summary()
        let bytes = ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: database.path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
        let time = { (time: Duration?) in time.map(ReportCommand.localTime) ?? "-" }
        let lines = [
            "file     \(database.path)",
            "size     \(Duration.seconds(Double(bytes) / 1_000_000).decimal(.seconds(1), places: 1)) MB",
            "from     \(time(summary.first))",
            "until    \(time(summary.last))",
            "targets  \(summary.targets)",
            "events   \(summary.events)",
            "runs     \(summary.runs)",
        ]
        try StandardStreams.print(lines.joined(separator: "\n"))
    }

    /// Removes the targets with a name or URL, and prints what was removed.
    private func forget(_ name: String) throws {
        let database = try HistoryDatabase.opened(for: .read)
        let rows = try database.targets(named: name, orURL: name)
        guard !rows.isEmpty else {
            let hint = name.nearest(of: try database.targets().map(\.name)).map {
                " – did you mean \"\($0.printable)\"?"
            }
            throw StartupError("no target \"\(name.printable)\" in the history\(hint ?? "")")
        }
        for row in rows {
            guard let occupation = try database.occupation(of: row) else { continue }
            let process = occupation.process.map { " (process \($0))" } ?? ""
            let problem = "reach probes it now\(process)"
            let fix = "remove it from \(occupation.source.printable), or end reach"
            throw StartupError("\(row.name.printable): \(problem) – \(fix)")
        }
        let writable = try HistoryDatabase.opened(for: .write)
        for row in rows {
            let removed = try writable.forget(row)
            let events = removed.events == 1 ? "1 event" : "\(removed.events) events"
            let days = removed.days == 1 ? "1 day" : "\(removed.days) days"
            let text =
                "\(row.name.printable) (\(row.url.printable)): removed, with \(events) and the figures of \(days)"
            try StandardStreams.print(text)
        }
    }

    private func exportAll() throws {
        let database = try HistoryDatabase.opened(for: .read)
        var text = ""
        try database.export { record in
            text += HistoryRecord(record).json + "\n"
            if text.utf8.count > 65_536 {
                try StandardStreams.write(text, isData: true)
                text = ""
            }
        }
        try StandardStreams.write(text, isData: true)
    }

    private func importAll() throws {
        var lines = InputLines(descriptor: STDIN_FILENO)
        let records = { () throws -> StoredRecord? in
            while let line = try lines.next() {
                guard !line.isEmpty else { continue }
                return try Self.record(line, lines.number)
            }
            return nil
        }
        let database = try HistoryDatabase.opened(for: .write)
        let (count, orphans): (Int, Int)
        do {
            (count, orphans) = try database.add(records)
        } catch let error as StartupError {
            throw StartupError(lines: error.lines + ["nothing was imported"])
        }
        let skipped = orphans == 0 ? "" : ", \(orphans) skipped, whose target or run is not among the lines before"
        StandardStreams.printMessage("\(lines.number) lines read, \(count) records added\(skipped)")
    }

    /// The record of a line.
    ///
    /// - Parameter number: the number of the line.
    static func record(_ line: String, _ number: Int) throws(StartupError) -> StoredRecord {
        let record = HistoryRecord(json: line)
        if let problem = record?.problem {
            throw StartupError("standard input:\(number): \(problem) – correct the line, or remove it")
        }
        guard let stored = record?.stored else {
            let fix = "use the output of reach history --export jsonl"
            throw StartupError("standard input:\(number): not a record of a history – \(fix)")
        }
        return stored
    }
}

/// The lines of a descriptor, read in parts.
struct InputLines {
    let descriptor: Int32
    /// The name of the input, and what to use in place of a wrong one, for errors.
    let (name, hint): (String, String)
    /// The number of the last line that was returned.
    private(set) var number = 0
    private var bytes: [UInt8] = []
    private var position = 0
    /// The index up to which there is no newline.
    private var searched = 0
    private var isAtEnd = false
    /// The longest line, in bytes. No record is nearly as long.
    static let longest = 1 << 20
    /// The longest line of this input.
    private let longest: Int

    init(
        descriptor: Int32,
        name: String = "standard input",
        hint: String = "use the output of reach history --export jsonl",
        longest: Int = InputLines.longest
    ) {
        (self.descriptor, self.longest) = (descriptor, longest)
        (self.name, self.hint) = (name, hint)
    }

    /// Returns the next line without its end; nil after the last one.
    ///
    /// - Throws: ``StartupError`` if the descriptor cannot be read, or a line is too long.
    mutating func next() throws(StartupError) -> String? {
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return try line(until: end, next: end + 1)
            }
            searched = bytes.endIndex
            guard !isAtEnd else {
                return position < bytes.endIndex ? try line(until: bytes.endIndex, next: bytes.endIndex) : nil
            }
            try checkLength(until: bytes.endIndex)
            try fill()
        }
    }

    private func checkLength(until end: Int) throws(StartupError) {
        guard end - position > longest else { return }
        throw StartupError("\(name):\(number + 1): a line longer than \(longest >> 20) MiB – \(hint)")
    }

    private mutating func line(until end: Int, next: Int) throws(StartupError) -> String {
        try checkLength(until: end)
        defer {
            (position, searched) = (next, next)
            number += 1
        }
        let hasReturn = end > position && bytes[end - 1] == UInt8(ascii: "\r")
        return String(decoding: bytes[position..<(hasReturn ? end - 1 : end)], as: UTF8.self)
    }

    private mutating func fill() throws(StartupError) {
        bytes.removeFirst(position)
        (position, searched) = (0, searched - position)
        do throws(SystemError) {
            let piece = try readPiece(from: descriptor)
            isAtEnd = piece.isEmpty
            bytes += piece
        } catch {
            throw StartupError("\(name): cannot be read: \(error)")
        }
    }
}
