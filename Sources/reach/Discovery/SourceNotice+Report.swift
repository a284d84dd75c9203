import Dashboard
import Monitoring

extension SourceNotice {
    /// Creates the notice of a refresh.
    init(_ report: SourceReport, leftOut: String?) {
        self.init(
            name: report.source.name,
            hasNewList: report.change.hasNewList,
            problem: report.problem,
            leftOut: leftOut
        )
    }
}
