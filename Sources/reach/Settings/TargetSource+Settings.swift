import Foundation
import Monitoring
import SettingsFile

extension TargetSource {
    /// The first settings file without text; nil if there is none.
    var blankFile: String? { path.flatMap { WatchedFiles(path: $0, environment: environment).blankFile } }

    /// Returns the settings for a command that probes nothing; nil if no file is given and none is in the usual folders.
    ///
    /// - Throws: ``StartupError`` when a given file is not found, or the file is invalid.
    static func settings(of config: String?) throws(StartupError) -> Settings? {
        let source = try TargetSource(
            arguments: [],
            config: config,
            environment: ProcessInfo.processInfo.environment,
            mayLackFile: config == nil,
            mayLackTargets: true
        )
        return source.isFirstRun ? nil : try source.settings()
    }
}
