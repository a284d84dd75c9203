import Foundation
import ReachHooks
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

private let hasProc = FileManager.default.fileExists(atPath: "/proc/self/status")

/// The state that a command inherits from this process: only the environment.
@Suite(.serialized, .alone, .timeLimit(.minutes(1)), .enabled(if: hasProc, "there is no /proc"))
struct ChildStateTests {
    /// The signals 32 and 33, which glibc reserves and ignores in child processes.
    private static let internalSignals: UInt64 = 0x1_8000_0000

    /// Returns a value from `/proc/self/status` of a command.
    private func status(_ name: String, ignoring signals: Set<Int32> = []) async throws -> String {
        let result = await HookCommand.program("grep", arguments: ["^\(name):", "/proc/self/status"])
            .run(environment: [], ignoredSignals: signals)
        try #require(result.status == .exited(0), "\(result)")
        return result.output.split(separator: "\t").last.map { String($0.dropLast()) } ?? ""
    }

    @Test func `a command ignores only the given signals`() async throws {
        let byDefault = try await status("SigIgn")
        #expect(try #require(UInt64(byDefault, radix: 16)) & ~Self.internalSignals == 0, "\(byDefault)")
        // HUP is 1 and USR1 is 10 on Linux: bits 0 and 9.
        let some = try #require(UInt64(try await status("SigIgn", ignoring: [SIGHUP, SIGUSR1]), radix: 16))
        #expect(some & ~Self.internalSignals == 0x201)
    }

    @Test func `ignored signals do not change arguments, status and errors of a command`() async {
        let arguments = ["-c", "printf '[%s]' \"$0\" \"$@\"; exit 3", "two words", "$(id)", ""]
        let result = await HookCommand.program("sh", arguments: arguments).run(
            environment: [],
            ignoredSignals: [SIGHUP]
        )
        #expect(result.output == "[two words][$(id)][]")
        #expect(result.status == .exited(3))
        for program in ["no-such-program", "/no/such/program"] {
            let missing = HookCommand.program(program, arguments: [])
            let plain = await missing.run(environment: [])
            #expect(await missing.run(environment: [], ignoredSignals: [SIGHUP]).status == plain.status)
        }
    }

    @Test func `a command inherits no blocked signals`() async throws {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(UInt64(try await status("SigBlk"), radix: 16) == 0)
    }

    @Test func `a command inherits only the standard descriptors`() async throws {
        // Deliberately without FD_CLOEXEC.
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        try #require(fcntl(descriptor, F_SETFD, 0) == 0)
        let result = await HookCommand.program("ls", arguments: ["/proc/self/fd"]).run(environment: [])
        // The fourth is the directory that `ls` reads.
        #expect(result.output == "0\n1\n2\n3\n")
    }

    @Test func `a command does not start without descriptors, and later ones do`() async throws {
        await HookCommand.prepare()
        let limits = try #require(LimitedResource.descriptors.limits)
        LimitedResource.descriptors.setLimits(rlimit(rlim_cur: 3, rlim_max: limits.rlim_max))
        let starved = await HookCommand.program("true", arguments: []).run(environment: [])
        LimitedResource.descriptors.setLimits(limits)
        guard case .notStarted = starved.status else {
            Issue.record("it started: \(starved)")
            return
        }
        #expect(await HookCommand.program("true", arguments: []).run(environment: []).status == .exited(0))
    }
}
