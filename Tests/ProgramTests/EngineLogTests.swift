import Foundation
import Logging
import ReachMonitoring
import ReachReporting
import ReachSystem
import Synchronization
import TestSupport
import Testing

@testable import reach

/// The log of the engine: settings, changes of health and problems.
struct EngineLogTests {
    /// The lines of a log at the default level, after the time.
    private func lines(_ format: LogFormat = .logfmt, _ body: (EngineLog) -> Void) -> [String] {
        let lines = Lines()
        let redaction = SharedRedaction()
        let logger = Logger(label: "targets") { label in
            LineLogHandler(label: label, time: ProgramTime(), format: format, redaction: redaction) { line, _ in
                lines.append(line)
            }
        }
        body(EngineLog(logger, redaction))
        return lines.all
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) {
            lines.withLock { $0.append(line) }
        }

        var all: [String] { lines.withLock(\.self) }
    }

    @Test func `problems of targets are warnings, and their ends are notices`() throws {
        let story = Story(.make("NAS"))
        let id = try #require(story["NAS"]?.id)
        let lines = lines { log in
            for request in story.requests { log.log(request) }
            log.log(RosterEvent(.fault(Fault(.noSource, detail: "no interface eth9")), of: [id], at: .zero))
            log.log(RosterEvent(.faultCleared, of: [id], at: .zero))
            log.log(RosterEvent(.blocked(by: .target("Router")), of: [id], at: .zero))
            log.log(RosterEvent(.unblocked, of: [id], at: .zero))
            log.log(RosterEvent(.paused, of: [id], at: .zero))
        }
        let levels = lines.compactMap { line in line.split(separator: " ").first { $0.hasPrefix("level=") } }
        #expect(levels == ["level=warning", "level=notice", "level=warning", "level=notice"], "\(lines)")
        #expect(lines.allSatisfy { $0.contains("target=NAS") }, "\(lines)")
        #expect(lines.first?.contains("cannot be probed: no interface eth9") == true, "\(lines)")
        #expect(lines.count == 4 && lines[2].contains("Router"), "\(lines)")
    }

    @Test func `targets of the fleet have their names`() {
        var roster = Roster()
        _ = roster.apply(Settings(targets: []), at: .zero)
        var update = FleetUpdate()
        update.targets = ["Shop", "API"].map { Target(name: $0, question: .fleet(FleetQuestion(instance: $0))) }
        for name in ["Shop", "API"] {
            let report = VantageReport(vantagePoint: "fra", health: .down, sampled: .zero, time: .zero)
            update.reports[name] = [report]
        }
        let consequences = roster.record(update, at: .zero)
        let lines = lines { $0.log(consequences) }
        #expect(lines.count == 2 && lines.contains { $0.contains("target=API") }, "\(lines)")
        #expect(lines.contains { $0.contains("target=Shop") } && !lines.contains { $0.contains("target=?") })
    }

    @Test(arguments: [(LogFormat.logfmt, "level=error"), (.json, #""level":"error""#)])
    func `refused settings and a log that cannot be opened again are errors`(format: LogFormat, level: String) {
        let lines = lines(format) { log in
            log.logRefusedSettings(["dashboard.toml:3: unknown key"])
            log.log(problem: "cannot reopen the log x")
        }
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains(level) }, "\(lines)")
        #expect(lines[0].contains("settings refused") && lines[1].contains("dashboard.toml:3: unknown key"))
        #expect(lines[2].contains("cannot reopen the log x"))
    }
}

/// The file of the log.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct LogFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)").path

    private var text: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }

    @Test func `a line after one that was cut off begins on a new line`() async throws {
        signal(SIGPIPE, SIG_IGN)
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let first = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let log = try LogFile(path)
        // The buffer of a FIFO holds 64 KiB. The end of its reader cuts the line off, as a full disk does.
        log.append(String(repeating: "x", count: 200_000))
        await log.flush()
        close(first)
        await log.flush()
        let second = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(second) }
        let rest = read(from: second)
        #expect(!rest.isEmpty && rest.allSatisfy { $0 == "x" })
        log.append("one")
        log.append("two")
        await log.flush()
        #expect(read(from: second) == "\none\ntwo\n")
    }

    @Test func `a file that accepts no bytes delays nothing, and the waiting lines are bounded`() async throws {
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let log = try LogFile(path)
        let start = ContinuousClock.now
        let line = String(repeating: "x", count: 999)
        for _ in 1...20_000 { log.append(line) }
        log.reopen { Issue.record("\($0)") }
        await log.flush()
        #expect(ContinuousClock.now - start < .seconds(5))
        // The pipe holds 64 KiB. The writer has as many bytes as the buffer, four megabytes.
        var count = 0
        var readable = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        while poll(&readable, 1, 500) > 0 { count += read(from: reader).utf8.count }
        #expect(count > 4_000_000 && count < 10_000_000, "\(count)")
    }

    @Test func `a renamed file is opened again, and one that cannot be opened stays in use`() async throws {
        defer { for suffix in ["", ".1", ".2"] { unlink(path + suffix) } }
        let log = try LogFile(path)
        log.append("one")
        await log.flush()
        #expect(rename(path, path + ".1") == 0)
        log.reopen { Issue.record("\($0)") }
        log.append("two")
        await log.flush()
        #expect(text == "two\n")
        #expect(rename(path, path + ".2") == 0)
        #expect(mkdir(path, 0o700) == 0)
        let (problems, problem) = AsyncStream<String>.makeStream()
        log.reopen { problem.yield($0) }
        let reported = await problems.first { _ in true }
        #expect(reported == "cannot reopen the log \(path): Is a directory – the old file stays in use")
        log.append("three")
        await log.flush()
        rmdir(path)
        #expect(FileManager.default.contents(atPath: path + ".2") == Data("two\nthree\n".utf8))
    }

    /// Reads what a FIFO holds.
    private func read(from descriptor: Int32) -> String {
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = ReachSystem.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += bytes.prefix(count)
        }
    }
}
