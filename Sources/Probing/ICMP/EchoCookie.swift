import NIOCore

/// The first sixteen bytes of every echo request's payload, which come back in the reply.
///
/// The identifier of the header is no proof of anything: the kernel rewrites it, and every process on the machine
/// sees every reply. The sequence number has sixteen bits. The cookie knows the process and the probe.
struct EchoCookie: Sendable, Hashable {
    static let size = 16

    /// A random number of this process.
    let process: UInt64
    /// Where the probe is found.
    let slot: UInt32
    /// Which user of the slot asked.
    let generation: UInt32
}

extension EchoCookie {
    /// Reads a cookie; nil where there are too few bytes.
    init?(reading buffer: inout ByteBuffer) {
        guard let (process, slot, generation) = buffer.readMultipleIntegers(as: (UInt64, UInt32, UInt32).self) else {
            return nil
        }
        self.init(process: process, slot: slot, generation: generation)
    }
}
