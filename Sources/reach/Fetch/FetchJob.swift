import Fetching
import Logging
import Monitoring
import ReachKit
import UnixSignals

/// The work of `reach fetch`: wait for the host, ask, ask again, and tell how it went.
struct FetchJob: Sendable {
    let request: FetchRequest
    /// Opens what is sent.
    let body: @Sendable () async throws(FileProblem) -> RequestBody?
    let retries: Int
    let policy: Fetch.Policy
    let output: BodyOutput
    /// Whether the body of an answer that says no is wanted, too.
    let keepsAnyBody: Bool
    let environment: [String: String]
    let within: Duration?
    let teller: FetchTeller

    /// How the work ends.
    private enum Ending: Sendable {
        case fetched
        case failed(FetchError, tries: Int)
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
        let fetch = Fetch(
            by: Prober(logger: log("probing")),
            policy: policy,
            waiting: .beforeEachTry(atMost: nil),
            environment: environment,
            logger: log("fetching")
        )
        do throws(FetchError) {
            _ = try fetch.door(of: Fetch.Request(request))
        } catch {
            throw TargetProblems(lines: [error.description])
        }
        // Whoever comes first ends it: what is blocked, such as a full pipe, is not waited for.
        let (endings, end) = AsyncStream<Ending>.makeStream()
        let tasks = [
            Task { _ = end.yield(await save(by: fetch)) },
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
        return status
    }

    private func save(by fetch: Fetch) async -> Ending {
        var request = request
        do throws(FileProblem) {
            request.body = try await body()
        } catch {
            return .noBody(error)
        }
        do throws(FetchError) {
            try await fetch.save(Fetch.Request(request), to: output, retries: retries, onEvent: teller.tell)
            return .fetched
        } catch {
            let cause = if case .inaccessible(let last) = error { last } else { error }
            if keepsAnyBody, case .status(let answer) = cause, !answer.body.isEmpty { await keep(answer) }
            return .failed(cause, tries: teller.tries)
        }
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
        case .fetched:
            return 0
        case .failed(let error, let tries):
            return conclude(error, tries: tries)
        }
    }

    private func conclude(_ error: FetchError, tries: Int) -> Int32 {
        if case .brokenPipe = error { return 128 + UnixSignal.sigpipe.rawValue }
        // The body of an answer that says no may meet one, too.
        if teller.problem?.isBrokenPipe == true { return 128 + UnixSignal.sigpipe.rawValue }
        var words = "not fetched: \(error)"
        if tries > 1 { words += ", tried \(tries) times" }
        // What an answer that says no has kept of its body was asked for.
        if case .network = error, output.remainder > 0 {
            words += "; \(output.remainder.bytesText) had gone out and cannot be taken back – -o FILE can begin anew"
        }
        teller.say(words)
        return 1
    }

    /// Writes what came of an answer that says no.
    private func keep(_ answer: Fetch.Answer) async {
        do throws(FileProblem) {
            let sink = output.sink
            try await sink.begin(length: Int64(answer.body.count))
            try await sink.take(Array(answer.body))
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
