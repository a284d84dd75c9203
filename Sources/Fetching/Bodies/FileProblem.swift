import LibC

/// Why a file cannot be read or written.
public struct FileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What cannot be done, and why: `cannot write disk.img: No space left on device`.
    public let description: String
    /// Whether nobody reads any more what is written: the end of a pipeline, not trouble.
    public let isBrokenPipe: Bool

    init(_ description: String) {
        self.description = description
        isBrokenPipe = false
    }

    /// - Parameter code: the system's, as `errno` has it.
    init(_ deed: String, _ name: String, errno code: Int32) {
        description = "cannot \(deed) \(name): \(String(cString: strerror(code)))"
        isBrokenPipe = code == EPIPE
    }
}
