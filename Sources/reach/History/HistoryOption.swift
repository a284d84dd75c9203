import ArgumentParser
import Foundation
import History
import Monitoring

/// The option of the commands that write the history.
struct HistoryOption: ParsableArguments {
    @Flag(help: "Keep no history on disk, as with history = \"off\" in the settings.")
    var noHistory = false

    /// Starts the writer of the history; nil if the history is off, or has no folder.
    ///
    /// - Parameter report: Receives why there is no folder.
    func writer(
        of source: TargetSource,
        _ settings: Settings,
        time: ProgramTime,
        report: (String) -> Void
    ) -> HistoryWriter? {
        guard !noHistory, settings.stored.isOn else { return nil }
        guard let folder = StateFolder(environment: source.environment) else {
            report("history: \(StateFolder.problem(source.environment)), or switch it off with --no-history")
            return nil
        }
        return HistoryWriter(
            HistoryWriter.Job(path: folder.history, source: source.identity, version: Reach.version),
            settings: settings.stored,
            time: HistoryWriter.Time(start: { time.wall.start }, now: { time.now })
        )
    }
}

extension StateFolder {
    /// The path of the history.
    var history: String { "\(path)/history.sqlite" }
}

extension TargetSource {
    /// What the targets are from, the same in each run: the path of the settings file, or the arguments.
    var identity: String {
        guard let path else { return name }
        return URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
