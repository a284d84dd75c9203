/// What a server of HTTP/2 sends first: a frame of settings for the connection (RFC 9113 §3.4 and §6.5). It sends that also to
/// a client of HTTP/1.1, unless it speaks both.
package enum HTTP2Preface {
    /// The first bytes can become the preface.
    case beginning
    /// The header of the frame is complete.
    case whole
    case none

    /// Returns how much of the preface the bytes have.
    package static func find(in bytes: some Collection<UInt8>) -> HTTP2Preface {
        // The length has three bytes, a multiple of six, and is small: each setting has six bytes.
        let head = Array(bytes.prefix(9))
        let isFrame = zip(head.indices, head).allSatisfy { index, byte in
            switch index {
            case 0, 1: byte == 0
            case 2: byte % 6 == 0
            case 3: byte == 4
            default: byte == 0
            }
        }
        return !isFrame ? .none : head.count < 9 ? .beginning : .whole
    }
}
