#if os(Linux)
    import Foundation
    import LibC

    /// A network that nobody knows but the threads which were started in it: it has no name, and goes with them.
    public enum PrivateNetwork {
        /// Runs `body` in a new network, in which all threads stay that it starts.
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

        /// Whether this user may make one, and lead a tunnel out of it.
        public static func isAllowed() async -> Bool {
            (try? await enter { try Tunnel().close() }) != nil
        }

        /// Leaves the calling thread's network for an empty one (unshare(2)), which takes root.
        private static func leaveNetwork() throws {
            // The header has it under _GNU_SOURCE only.
            typealias Unshare = @convention(c) (CInt) -> CInt
            let newNetwork: CInt = 0x4000_0000
            guard let symbol = dlsym(nil, "unshare") else { throw CocoaError(.featureUnsupported) }
            guard unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else { throw POSIXError(.EPERM) }
        }
    }
#endif
