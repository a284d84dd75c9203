import Logging
import Monitoring

/// The log messages of hook runs. A failed run is a warning; the others are for debugging, since the screen shows every run.
extension Logger {
    func started(_ run: HookRun, _ group: ProcessGroup?) {
        let process = group.map { ["pid": Logger.MetadataValue("\($0.leader)")] } ?? [:]
        info("hook started", metadata: run.metadata(process.merging(["action": "\(run.rule.action)"]) { $1 }))
    }

    func finished(_ run: HookRun, _ result: HookResult) {
        log(level: result.isSuccess ? .info : .warning, "hook \(result.summary)", metadata: run.metadata())
    }

    func dropped(_ run: HookRun, _ reason: HookDrop) {
        info("hook dropped: \(reason.summary)", metadata: run.metadata())
    }

    func leftRunning(_ groups: [ProcessGroup]) {
        let numbers = groups.map { String($0.leader) }.joined(separator: ", ")
        warning("hook processes still running after SIGKILL: process groups \(numbers)")
    }
}

extension HookRun {
    fileprivate func metadata(_ more: Logger.Metadata = [:]) -> Logger.Metadata {
        more.merging(["run": "\(id)", "target": "\(context.name)"]) { given, _ in given }
    }
}
