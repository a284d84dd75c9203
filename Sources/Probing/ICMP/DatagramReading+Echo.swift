#if os(Linux)
    extension DatagramReading {
        /// Has a listener take in the last datagram.
        func tell(_ listener: EchoListener) {
            guard let source = address else { return }
            let stamp = messages.withUnsafeBytes { KernelStamp.time(in: $0) }
            bytes.withUnsafeBytes { listener.hear($0, source, stamp) }
        }
    }
#endif
