import Logging
import Monitoring

/// What this module logs. The user sees every run on the screen; the log is for those who look for a mistake.
extension Logger {
    func started(_ run: HookRun, _ group: ProcessGroup?) {
        let process = group.map { ["pid": Logger.MetadataValue("\($0.leader)")] } ?? [:]
        info("hook started", metadata: run.metadata(process.merging(["action": "\(run.rule.action)"]) { $1 }))
    }

    func finished(_ run: HookRun, _ result: HookResult) {
        info("hook \(result.summary)", metadata: run.metadata())
    }

    func dropped(_ run: HookRun, _ reason: HookDrop) {
        info("hook dropped: \(reason.summary)", metadata: run.metadata())
    }

    func leftBehind(_ groups: [ProcessGroup]) {
        let numbers = groups.map { String($0.leader) }.joined(separator: ", ")
        warning("hooks that did not end by KILL are left behind: process groups \(numbers)")
    }
}

extension HookRun {
    fileprivate func metadata(_ more: Logger.Metadata = [:]) -> Logger.Metadata {
        more.merging(["run": "\(id)", "target": "\(occasion.name)"]) { mine, _ in mine }
    }
}
