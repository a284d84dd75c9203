#if os(Linux)
import Foundation
import LibC

/// An unnamed network namespace. It exists as long as the threads that were started in it.
public enum PrivateNetwork {
    /// Runs `body` on a thread in a new network namespace; threads that it starts are in it too.
    public static func enter<Result>(
        _ body: @escaping @Sendable () throws -> sending Result
    ) async throws -> sending Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try leaveNetwork()
                    continuation.resume(returning: try body())
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Whether this user may create a network namespace with a tunnel.
    public static func isAllowed() async -> Bool {
        (try? await enter { try Tunnel().close() }) != nil
    }

    /// Moves the calling thread to an empty network namespace (unshare(2)), which requires root.
    private static func leaveNetwork() throws {
        // The header declares it only with _GNU_SOURCE.
        typealias Unshare = @convention(c) (CInt) -> CInt
        let newNetwork: CInt = 0x4000_0000
        guard let symbol = dlsym(nil, "unshare") else { throw CocoaError(.featureUnsupported) }
        guard unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else { throw POSIXError(.EPERM) }
    }
}
#endif
