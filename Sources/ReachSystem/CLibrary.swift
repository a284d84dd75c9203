// The C library of the platform, under one name. `import ReachSystem` imports it.

#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Glibc
#endif

/// The signals that end a process by default, except SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGKILL and those of
/// a crash.
public let otherEndingSignals: [Int32] = {
    let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
    #if os(Linux)
    // SIGSTKFLT, SIGIO and SIGPWR; then the real-time signals, except those that the C library reserves.
    return common + [16, 29, 30] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
    #else
    return common
    #endif
}()
