import Logging
import ReachKit
import ReachMonitoring
import UnixSignals

/// The job of `reach fetch`: fetches with retries, reports the progress and returns the exit status.
struct FetchJob: Sendable {
    let request: Fetch.Request
    let tls: Fetch.TLS
    let retries: Int
    let policy: Fetch.Policy
    let sink: any BodySink
    /// Whether the body of an unsuccessful response is written as well.
    let writesErrorBody: Bool
    let environment: [String: String]
    let within: Duration?
    let reporter: FetchReporter

    /// Why the job ends.
    private enum ExitCause: Sendable {
        case fetched
        case failed(Fetch.Error, tries: Int)
        /// The request's body cannot be read.
        case unreadableBody(Fetch.Error)
        case signal(Int32)
        case timeout
    }

    /// Fetches until the response is complete, the retries are used up, the time is over, or a signal arrives.
    ///
    /// - Returns: The exit status.
    /// - Throws: ``StartupError`` when the request is invalid.
    func run(
        _ signals: Signals,
        time: ProgramTime,
        log: @Sendable (String) -> Logger
    ) async throws(StartupError) -> Int32 {
        let fetch = Fetch(
            prober: Prober(logger: log("probing")),
            policy: policy,
            waiting: .beforeEachTry(atMost: nil),
            tls: tls,
            environment: environment,
            logger: log("fetching")
        )
        do throws(Fetch.Error) {
            _ = try fetch.endpoint(of: request)
        } catch {
            throw StartupError(error.description)
        }
        // The first cause ends the job. A blocked write, for example to a full pipe, does not delay the end.
        let (causes, end) = AsyncStream<ExitCause>.makeStream()
        let tasks = [
            Task { _ = end.yield(await save(by: fetch)) },
            Task { await reporter.animate() },
            Task { for await signal in signals.endings() { end.yield(.signal(signal)) } },
            Task {
                guard let within else { return }
                try? await Task.sleep(for: within, clock: .continuous)
                end.yield(.timeout)
            },
        ]
        var status: Int32 = 1
        for await cause in causes {
            status = conclude(cause)
            break
        }
        sink.discard()
        for task in tasks { task.cancel() }
        return status
    }

    private func save(by fetch: Fetch) async -> ExitCause {
        var request = request
        do throws(Fetch.Error) {
            request.body = try await request.body?.opened()
        } catch {
            return .unreadableBody(error)
        }
        do throws(Fetch.Error) {
            try await fetch.save(request, to: sink, maximumRetries: retries, onEvent: reporter.report)
            return .fetched
        } catch {
            let cause = if case .retriesExhausted(let last, _) = error { last } else { error }
            if writesErrorBody, case .status(let response) = cause, !response.body.isEmpty {
                await writeBody(of: response)
            }
            return .failed(cause, tries: reporter.tries)
        }
    }

    private func conclude(_ cause: ExitCause) -> Int32 {
        defer { reporter.close() }
        switch cause {
        case .unreadableBody(let error):
            StandardStreams.printMessage(error.description)
            return 2
        case .signal(let signal):
            return 128 + signal
        case .timeout:
            let cause = reporter.summary.map { ": \($0)" } ?? ""
            reporter.write("not fetched within \((within ?? .zero).limitText)\(cause)")
            return 124
        case .fetched:
            return 0
        case .failed(let error, let tries):
            return conclude(error, tries: tries)
        }
    }

    private func conclude(_ error: Fetch.Error, tries: Int) -> Int32 {
        if case .brokenPipe = error { return 128 + UnixSignal.sigpipe.rawValue }
        // The body of an unsuccessful response can fail in the same way.
        if reporter.isPipeBroken { return 128 + UnixSignal.sigpipe.rawValue }
        var message = "not fetched: \(error)"
        if tries > 1 { message += ", tried \(tries) times" }
        switch error {
        case .incomplete, .timeout, .network, .fault:
            let written = sink.committedBytes
            guard written > 0 else { break }
            message += "; no retry, since \(written.bytesText) were already written – use -o FILE"
        default:
            // Any bytes written are the body of an unsuccessful response, which was requested.
            break
        }
        reporter.write(message)
        return 1
    }

    /// Writes the body of an unsuccessful response.
    private func writeBody(of response: Fetch.Response) async {
        do throws(Fetch.Error) {
            try await sink.begin(with: response)
            try await sink.write(Array(response.body))
            try await sink.finish()
        } catch {
            reporter.report(error)
        }
        if response.ending != .whole {
            reporter.write("incomplete body: only the first \(Int64(response.body.count).bytesText) received")
        }
    }
}
