#if os(Linux)
    import NIOCore

    extension DatagramListener {
        /// Tells what an ICMP socket has to say.
        ///
        /// - Parameter filter: what a raw socket's packets are checked by; nil for other sockets.
        init(_ listener: EchoListener, filter: RawEchoFilter?) {
            self.init(
                hear: { reading in
                    guard let source = reading.address else { return }
                    let stamp = reading.messages.withUnsafeBytes { KernelStamp.time(in: $0) }
                    reading.bytes.withUnsafeBytes { bytes in
                        if filter?.accepts(bytes) ?? true { listener.hear(bytes, source, stamp) }
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
                    listener.refuse(error, extended.offender)
                },
                batchEnded: listener.batchEnded,
                ended: listener.ended
            )
        }
    }
#endif
