import LibC
import Monitoring

extension Fault {
    /// The fault that a descriptor cannot be had at this moment; nil if one can.
    static func lackOfDescriptors() -> Fault? {
        let descriptor = socket(AF_INET, SocketType.datagram, 0)
        guard descriptor < 0 else {
            closeDescriptor(descriptor)
            return nil
        }
        let code = errno
        return code == EMFILE || code == ENFILE ? Fault(errno: code) : nil
    }
}
