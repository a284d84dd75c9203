#if os(Linux)
import NIOCore

extension DatagramListener {
    /// Creates callbacks that parse the packets of an ICMP socket for an echo listener.
    ///
    /// - Parameter filter: checks the packets of a raw socket; nil for other sockets.
    init(_ listener: EchoListener, filter: RawEchoFilter?) {
        self.init(
            hear: { reading in
                guard let source = reading.address else { return }
                let stamp = reading.messages.withUnsafeBytes { KernelTimestamp.time(in: $0) }
                reading.bytes.withUnsafeBytes { bytes in
                    guard filter?.accepts(bytes) ?? true else { return }
                    if let receiveHopLimit = listener.receiveHopLimit,
                        let hopLimit = reading.messages.withUnsafeBytes({ HopLimitMessage.value(in: $0) })
                    {
                        receiveHopLimit(hopLimit)
                    }
                    listener.receive(bytes, source, stamp)
                }
            },
            refuse: { reading, extended in
                guard
                    let destination = reading.address,
                    let reason = extended.reason,
                    let error = EchoError(
                        reason: reason,
                        destination: destination,
                        quotation: ByteBuffer(bytes: reading.bytes)
                    )
                else { return }
                listener.receiveError(error, extended.offender)
            },
            batchEnded: listener.batchEnded,
            ended: listener.ended
        )
    }
}
#endif
