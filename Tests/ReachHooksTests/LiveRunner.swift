import Foundation
import ReachHooks
import ReachMonitoring

/// A runner with a real clock for tests, with its reports.
struct LiveRunner {
    let runner: HookRunner
    private var reports: HookReports.AsyncIterator

    init(
        limit: Int = 4,
        killGrace: Duration = .milliseconds(150),
        payload: String = #"{"kind":"transition"}"#,
        send: @escaping HookRunner.Send = { _, _ in HookResult(status: .answered(status: 200), duration: .zero) },
        isOnCellular: @escaping @Sendable (HookRun) async -> Bool = { _ in false },
        backoff: Backoff = Backoff(base: .milliseconds(1)),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onPayload: @escaping @Sendable () -> Void = {}
    ) {
        let clock = ContinuousClock()
        let start = clock.now
        runner = HookRunner(
            limit: limit,
            wall: { WallTime(start: .seconds(1_795_183_200)) },
            payload: { _ in
                onPayload()
                return payload
            },
            send: send,
            now: { start.duration(to: clock.now) },
            isOnCellular: isOnCellular,
            backoff: backoff,
            generator: generator,
            killGrace: killGrace
        )
        reports = runner.reports.makeAsyncIterator()
    }

    /// Returns the next report.
    mutating func next() async -> HookReport? {
        await reports.next(isolation: nil)
    }

    /// Runs one command and returns its reports, up to the end of the last retry.
    mutating func reports(of run: HookRun) async -> [HookReport] {
        await runner.submit([run])
        var reports: [HookReport] = []
        while let report = await next() {
            reports.append(report)
            switch report {
            case .started, .retrying: continue
            case .finished(let run, let result): if result.isSuccess || run.retry == nil { return reports }
            case .dropped: return reports
            }
        }
        return reports
    }

    /// Runs one command and returns its result.
    mutating func result(of run: HookRun) async -> HookResult? {
        await runner.submit([run])
        while let report = await next() {
            if case .finished(run, let result) = report { return result }
        }
        return nil
    }

    /// Runs one shell line and returns its result.
    mutating func result(of line: String, timeout: Duration = .seconds(30)) async -> HookResult? {
        await result(of: .make(1, run: .shell(line), timeout: timeout))
    }
}

/// A temporary directory for the files of a test, removed with the last reference.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "hooks-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the directory.
    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, and optionally makes it executable.
    func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
        let permissions = isExecutable ? 0o755 : 0o644
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file(name))
    }

    /// Returns the lines of a file; empty if it does not exist.
    func lines(of name: String) -> [String] {
        guard let text = try? String(contentsOfFile: file(name), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until a file has the expected number of process identifiers, and returns them.
    func numbers(in name: String, count: Int) async throws -> [Int32] {
        for _ in 0..<2_000 {
            let numbers = lines(of: name).compactMap { Int32($0) }
            if numbers.count >= count { return numbers }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw CocoaError(.fileReadNoSuchFile)
    }
}

/// Returns whether a process exists and has not ended; a zombie has ended.
func isRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") != true
}
