import Monitoring
import Screen

extension Question {
    /// The host and the port, without the path; nil for a command, and for one of the fleet, whose instance may be any text.
    var hostAndPort: Substring? {
        switch self {
        case .exec, .fleet: nil
        default: authority.prefix { $0 != "/" }
        }
    }

    /// Returns the part after the scheme, shortened to a width: first the path, then the host, so that the port stays
    /// visible: `very-long-ho…:8443`.
    func authority(fitting columns: Int, ellipsis: Character) -> String {
        let authority = authority
        let cut = authority.truncated(toColumns: columns, ellipsis: ellipsis)
        guard cut != authority, let head = hostAndPort.map(String.init) else { return cut }
        // A path of which nothing fits is omitted. An ellipsis in its place would look like a truncated port.
        if head.displayWidth <= columns { return head.displayWidth + 2 <= columns ? cut : head }
        guard let port = port.map({ ":\($0)" }), head.hasSuffix(port) else { return cut }
        let room = columns - port.displayWidth
        // Two characters of the host, and the ellipsis.
        guard room >= 3 else { return cut }
        return "\(head.dropLast(port.count)) ".truncated(toColumns: room, ellipsis: ellipsis) + port
    }
}
