import NIOCore

/// The cookie in the first sixteen bytes of each echo request's payload, which the reply returns.
///
/// The identifier of the header is not sufficient: the kernel rewrites it, and every process of the machine receives
/// every reply. The sequence number has sixteen bits only. The cookie identifies the process and the probe.
struct EchoCookie: Sendable, Hashable {
    static let size = 16

    /// A random number of this process.
    let process: UInt64
    /// The index of the probe's slot in the table.
    let slot: UInt32
    /// The generation of the slot, which counts its uses.
    let generation: UInt32
}

extension EchoCookie {
    /// Reads a cookie; nil if there are too few bytes.
    init?(reading buffer: inout ByteBuffer) {
        guard let (process, slot, generation) = buffer.readMultipleIntegers(as: (UInt64, UInt32, UInt32).self) else {
            return nil
        }
        self.init(process: process, slot: slot, generation: generation)
    }
}
