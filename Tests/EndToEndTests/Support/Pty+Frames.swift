/// A frame as the program sent it: the whole screen or the changes since the last frame.
struct SentFrame {
    /// The arrival of the first byte.
    let time: ContinuousClock.Instant
    /// The size in bytes, including the codes that begin and end the update.
    let size: Int
}

extension Pty {
    /// The synchronized updates that were received, in order.
    var frames: [SentFrame] {
        let begin = Array("\u{1B}[?2026h".utf8)
        let end = Array("\u{1B}[?2026l".utf8)
        var frames: [SentFrame] = []
        var open: (time: ContinuousClock.Instant, offset: Int)?
        var recent: [UInt8] = []
        var offset = 0
        for chunk in chunks {
            for byte in chunk.bytes {
                recent.append(byte)
                if recent.count > begin.count { recent.removeFirst() }
                offset += 1
                if recent == begin {
                    open = (chunk.time, offset - begin.count)
                } else if recent == end, let frame = open {
                    frames.append(SentFrame(time: frame.time, size: offset - frame.offset))
                    open = nil
                }
            }
        }
        return frames
    }
}
