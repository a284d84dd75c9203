import ArgumentParser
import Foundation
import ReachDashboard
import ReachHistory
import ReachMonitoring
import ReachSettings

/// The option of the commands that write the history.
struct HistoryOption: ParsableArguments {
    @Flag(help: "Keep no history on disk, as with history = \"off\" in the settings.")
    var noHistory = false

    /// Starts the writer of the history; nil if the history is off, or has no folder.
    ///
    /// - Parameters:
    ///   - readsSamples: Whether the program shows the samples of the last hour.
    ///   - report: Receives why there is no folder.
    func writer(
        of source: TargetSource,
        _ settings: Settings,
        time: ProgramTime,
        readsSamples: Bool,
        report: (String) -> Void
    ) -> HistoryWriter? {
        guard isOn(settings) else { return nil }
        guard let folder = StateFolder(environment: source.environment) else {
            report("history: \(StateFolder.problem(source.environment)), or switch it off with --no-history")
            return nil
        }
        return HistoryWriter(
            HistoryWriter.Job(
                path: folder.history,
                source: source.identity,
                version: Reach.version,
                readsSamples: readsSamples
            ),
            settings: settings.stored,
            time: time.ofHistory
        )
    }

    /// Starts the reader of the history for the screen; nil if the history is off, or has no folder.
    func reader(
        of source: TargetSource,
        _ settings: Settings,
        time: ProgramTime,
        _ redaction: SharedRedaction
    ) -> HistoryReader? {
        path(of: source, settings).map { path in
            HistoryReader(path: path, time: time.ofHistory, redaction: { redaction.current })
        }
    }

    /// The path of the history; nil if it is off, or has no folder.
    func path(of source: TargetSource, _ settings: Settings) -> String? {
        isOn(settings) ? StateFolder(environment: source.environment)?.history : nil
    }

    private func isOn(_ settings: Settings) -> Bool {
        !noHistory && settings.stored.isOn
    }
}

extension StateFolder {
    /// The path of the history.
    var history: String { "\(path)/history.sqlite" }
}

extension TargetSource {
    /// Identifies the source of the targets in every run: the path of the settings file, or the arguments.
    var identity: String {
        path.map { Self.identity(ofFile: $0) } ?? name
    }

    /// The path of a settings file without symbolic links.
    static func identity(ofFile path: String) -> String {
        URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}

extension Event.Kind {
    /// The answer to a request of the screen to read the history.
    static func history(_ answer: HistoryAnswer, _ time: ProgramTime) -> Self {
        .history(answer, time.zone(ofLast: HistoryRequest.span))
    }

    /// The answer if the history is off.
    static func historyOff(_ time: ProgramTime) -> Self {
        .history(.unreadable("the history is off"), time)
    }
}

extension ProgramTime {
    /// The clocks of the writer and the reader.
    var ofHistory: HistoryWriter.Time {
        HistoryWriter.Time(start: { wall.start }, now: { now })
    }

    /// The offsets of local time in a span until now, and in the day after it.
    func zone(ofLast span: Duration) -> ZoneOffsets {
        let end = wall.start + now
        return Self.offsets(from: (end - span).components.seconds, until: end.components.seconds + 86_400)
    }

    /// The offsets of local time between two times.
    static func offsets(from first: Int64, until last: Int64) -> ZoneOffsets {
        ZoneOffsets(from: first, until: last, step: 86_400, offset: offset)
    }
}
