#if os(Linux)
import LibC

/// The control messages of a datagram (cmsg(3)).
enum ControlMessages {
    /// Returns the data of the first message of a type; nil if there is none, or if it has too few bytes.
    static func data(
        level: CInt,
        type: CInt,
        size: Int,
        in control: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        let unit = MemoryLayout<Int>.size
        let header = unit + 8
        var start = 0
        while control.count - start >= header {
            let length = control.loadUnaligned(fromByteOffset: start, as: Int.self)
            guard length >= header, length <= control.count - start else { return nil }
            let messageLevel = control.loadUnaligned(fromByteOffset: start + unit, as: CInt.self)
            let messageType = control.loadUnaligned(fromByteOffset: start + unit + 4, as: CInt.self)
            if messageLevel == level, messageType == type, length >= header + size {
                return UnsafeRawBufferPointer(rebasing: control[(start + header)..<(start + length)])
            }
            start += (length + unit - 1) / unit * unit
        }
        return nil
    }
}
#endif
