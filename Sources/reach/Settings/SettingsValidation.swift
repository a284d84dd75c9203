import Monitoring
import SettingsFile

/// The result of a validation of settings with the lists of their sources that are in files.
struct SettingsValidation {
    /// The settings with the targets of those lists; nil if there are problems.
    private(set) var settings: Settings?
    private(set) var problems: [SettingsProblem]
    private(set) var warnings: [SettingsProblem]
    /// The variables and secrets without a value, if these are allowed.
    let unset: [String]
    /// The names of the sources whose lists were not read.
    let notFetched: [String]

    /// - Parameter file: The path of the settings file.
    init(_ report: SettingsReport, file: String) {
        (settings, problems, warnings, unset) = (report.settings, report.problems, report.warnings, report.unset)
        let sources = report.settings?.sources ?? []
        notFetched = sources.filter { ListFiles($0) == nil }.map(\.name)
        var lists: [DiscoverySource.Kind: DiscoveryList] = [:]
        for source in sources {
            switch ListFiles(source)?.result {
            case nil: break
            case .success(let list): lists[source.kind] = list
            case .failure(let problem):
                let key = "source \"\(source.name)\""
                problems.append(SettingsProblem(file: file, keyPath: key, message: problem.description))
            }
        }
        for (source, leftOut) in settings?.discover(lists) ?? [:] {
            let key = "source \"\(source.name)\""
            var warning = SettingsProblem(file: file, keyPath: key, message: leftOut.summary)
            warning.isWarning = true
            warnings.append(warning)
        }
        if !problems.isEmpty { (settings, warnings) = (nil, []) }
    }
}
