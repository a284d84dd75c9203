import Monitoring
import Screen

extension Question {
    /// Returns the part after the scheme, shortened to a width: first at the end of the path, then in the host, so that
    /// the port stays visible: `very-long-ho…:8443`.
    func authority(fitting columns: Int, ellipsis: Character) -> String {
        let authority = authority
        guard authority.displayWidth > columns, let port,
            let mark = authority.ranges(of: ":\(port)").first(where: { range in
                range.upperBound == authority.endIndex || authority[range.upperBound] == "/"
            })
        else { return authority.truncated(toColumns: columns, ellipsis: ellipsis) }
        let head = String(authority[..<mark.upperBound])
        let hasPath = mark.upperBound < authority.endIndex
        guard head.displayWidth + (hasPath ? ellipsis.displayWidth : 0) > columns else {
            return authority.truncated(toColumns: columns, ellipsis: ellipsis)
        }
        let room = columns - String(authority[mark]).displayWidth
        // Two characters of the host, and the ellipsis.
        guard room >= 3 else { return authority.truncated(toColumns: columns, ellipsis: ellipsis) }
        let host = "\(authority[..<mark.lowerBound]) ".truncated(toColumns: room, ellipsis: ellipsis)
        return host + authority[mark]
    }
}
