import ReachMonitoring
import ReachScreen

extension EventEntry {
    /// A hook run that an event triggered, with its progress and the end of its output; or a hook that the event did not
    /// run.
    struct Run: Sendable, Hashable {
        /// The run; nil if the hook was skipped.
        let id: HookRun.ID?
        /// The program or the request, as a short name.
        let name: String
        private var progress: Progress<State>

        private struct State: Sendable, Hashable {
            var status: String
            let role: Role
            var output: [String] = []
        }

        /// The progress in a few words: `running`, `ok, 0.2s`, `failed, status 1`.
        var status: String { progress.newest.status }
        var role: Role { progress.newest.role }
        /// The last lines of the output.
        var output: [String] { progress.newest.output }

        init(_ run: HookRun) {
            id = run.id
            name = run.rule.action.shortName
            let waiting = HookEntry.State.waiting
            progress = Progress(State(status: waiting.statusText, role: waiting.role), at: run.context.time)
        }

        /// Creates a hook that was skipped.
        init(_ drop: HookDrop, of action: HookAction, at time: Duration) {
            id = nil
            name = action.shortName
            progress = Progress(State(status: "\(HookDrop.summary()): \(drop.summary)", role: .waiting), at: time)
        }

        /// Creates a run that stands for several.
        init(name: String, status: String, role: Role) {
            id = nil
            self.name = name
            progress = Progress(State(status: status, role: role), at: .zero)
        }

        /// The run at a past time; nil before it was requested.
        func rewound(to time: Duration) -> Run? {
            guard let progress = progress.until(time) else { return nil }
            var past = self
            past.progress = progress
            return past
        }

        mutating func record(_ report: HookReport, at time: Duration) {
            let entered = HookEntry.State(report)
            var state = State(status: entered.statusText, role: entered.role)
            defer { progress.enter(state, at: time) }
            switch report {
            case .started, .retrying:
                break
            case .dropped(_, let drop):
                state.status = "\(report.summary): \(drop.summary)"
            case .finished(let run, let result):
                state.status = result.verdict + (run.attempt == 1 ? "" : ", attempt \(run.attempt)")
                state.output = result.output.split(whereSeparator: \.isNewline).suffix(EventEntry.outputLines).map(
                    String.init
                )
            }
        }
    }
}

extension HookResult {
    /// Whether the run succeeded, in a few words: `ok, 0.2s`, `failed, status 1`.
    fileprivate var verdict: String {
        isSuccess ? "\(statusText), \(duration.elapsedText)" : statusText
    }
}

extension HookAction {
    /// The name of the program, without its directory and arguments; the method and the host of a request.
    var shortName: String {
        let name =
            switch self {
            case .command(.shell(let line)):
                // Neither `NAME=value` before the program, nor the shell's signs.
                line.split { $0.isWhitespace || "(){}!;&|\"'`".contains($0) }.first { !$0.contains("=") } ?? line[...]
            case .command(.program(let name, _)):
                name[...]
            case .request(let webhook):
                "\(webhook.method) \(webhook.authority)"[...]
            }
        let last = name.split(separator: "/").last ?? name
        return String(last).truncated(toColumns: 24)
    }
}

extension Webhook {
    /// The host of the URL, with the port.
    fileprivate var authority: Substring {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }
}
