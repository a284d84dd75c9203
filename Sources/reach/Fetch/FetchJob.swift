import Fetching
import Logging
import Monitoring
import Probing
import UnixSignals

/// The work of `reach fetch`: wait for the host, ask, ask again, and tell how it went.
struct FetchJob: Sendable {
    let request: FetchRequest
    /// Opens what is sent.
    let body: @Sendable () async throws(FileProblem) -> RequestBody?
    let policy: RetryPolicy
    let output: BodyOutput
    /// Whether the body of an answer that says no is wanted, too.
    let keepsAnyBody: Bool
    let proxies: Proxies
    let within: Duration?
    let teller: FetchTeller

    /// How the work ends.
    private enum Ending: Sendable {
        case result(FetchResult)
        case noBody(FileProblem)
        case signal(UnixSignal)
        case outOfTime
    }

    /// Fetches.
    ///
    /// - Returns: The exit status.
    /// - Throws: ``TargetProblems`` when it cannot begin.
    func run(
        _ signals: Signals,
        time: ProgramTime,
        log: @Sendable (String) -> Logger
    ) async throws(TargetProblems) -> Int32 {
        let door = try door()
        let prober = ProbeEngine(now: { time.now }, logger: log("probing"))
        let fetcher = Fetcher(
            now: { (time.wall.start + time.now).components.seconds },
            proxies: proxies,
            logger: log("fetching")
        )
        let wait = HostWait(for: door, by: prober)
        // Whoever comes first ends it: what is blocked, such as a full pipe, is not waited for.
        let (endings, end) = AsyncStream<Ending>.makeStream()
        let tasks = [
            Task { _ = end.yield(await fetch(by: fetcher, after: wait, of: door)) },
            Task { await teller.animate() },
            Task {
                for await signal in signals.sequence where signal.isEnding { end.yield(.signal(signal)) }
            },
            Task {
                guard let within else { return }
                try? await Task.sleep(for: within, clock: .continuous)
                end.yield(.outOfTime)
            },
        ]
        var status: Int32 = 1
        for await ending in endings {
            status = conclude(ending)
            break
        }
        output.discard()
        for task in tasks { task.cancel() }
        await fetcher.shutdown()
        await prober.shutdown()
        return status
    }

    /// Who must accept a connection before there is any use in asking: the host, or the proxy before it.
    private func door() throws(TargetProblems) -> Question {
        guard let question = request.question else { throw TargetProblems(lines: ["the URL cannot be asked"]) }
        do throws(ProxyProblem) {
            if let proxy = try proxies.proxy(for: question) { return .tcp(host: proxy.host, port: proxy.port) }
            return .tcp(host: question.host, port: question.port)
        } catch {
            throw TargetProblems(lines: [error.description])
        }
    }

    private func fetch(by fetcher: Fetcher, after wait: HostWait, of door: Question) async -> Ending {
        var request = request
        do throws(FileProblem) {
            request.body = try await body()
        } catch {
            return .noBody(error)
        }
        let result = await fetcher.fetch(
            request,
            policy: policy,
            into: MeteredSink(sink: output.sink, teller: teller),
            ready: {
                await wait.wait { cause in
                    teller.say("waiting for \(door.authority): \(cause)")
                    teller.enter(.waiting(for: door.authority, because: cause))
                }
                teller.enter(.asking)
            },
            onRetry: { result, pause in
                let cause = result.outcome.summary
                teller.say("try \(result.tries): \(cause); again in \(pause.lapseText)")
                teller.enter(.pausing(until: teller.now + pause, because: cause))
            }
        )
        if keepsAnyBody, case .answer(let answer) = result.outcome, !answer.body.isEmpty { await keep(answer) }
        return .result(result)
    }

    private func conclude(_ ending: Ending) -> Int32 {
        defer { teller.close() }
        switch ending {
        case .noBody(let problem):
            StandardStreams.complain(problem.description)
            return 2
        case .signal(let signal):
            return 128 + signal.rawValue
        case .outOfTime:
            let cause = teller.standing.map { ": \($0)" } ?? ""
            teller.say("not fetched within \((within ?? .zero).settingsText)\(cause)")
            return 124
        case .result(let result):
            return conclude(result)
        }
    }

    private func conclude(_ result: FetchResult) -> Int32 {
        if case .answer(let answer) = result.outcome, (200...299).contains(answer.status), answer.ending == .whole {
            return 0
        }
        if teller.problem?.isBrokenPipe == true { return 128 + UnixSignal.sigpipe.rawValue }
        var words = "not fetched: \(result.summary)"
        // What an answer that says no has kept of its body was asked for.
        if case .answer(let answer) = result.outcome, (200...299).contains(answer.status), output.remainder > 0 {
            words += "; \(output.remainder.bytesText) had gone out and cannot be taken back – -o FILE can begin anew"
        }
        teller.say(words)
        return 1
    }

    /// Writes what came of an answer that says no.
    private func keep(_ answer: FetchAnswer) async {
        do throws(FileProblem) {
            let sink = output.sink
            try await sink.begin(length: Int64(answer.body.count))
            try await sink.take(answer.body)
            try await sink.end()
        } catch {
            teller.note(error)
            teller.say(error.description)
        }
        if answer.ending != .whole {
            teller.say("only the first \(Int64(answer.body.count).bytesText) of the body came")
        }
    }
}
