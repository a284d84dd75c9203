#if Fetch
import Monitoring

/// The cookies of one probe, which a server sets with a redirect and expects with the next request (RFC 6265). Each is sent
/// to the host that set it.
struct ModuleCookies {
    private var cookies: [(host: String, name: String, value: String)] = []

    /// Adds the cookies of a response.
    mutating func add(_ fields: [HTTPResponseHead.Field], from host: String) {
        for field in fields where field.name == "set-cookie" {
            let pair = field.value.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].filter { $0 != " " }
            guard !name.isEmpty else { continue }
            cookies.removeAll { $0.host == host && $0.name == name }
            cookies.append((host, String(name), String(pair[pair.index(after: equals)...])))
        }
    }

    /// Returns the header fields of a request with the cookies for its host.
    func adding(to headers: [HTTPOptions.Header], for host: String) -> [HTTPOptions.Header] {
        let text = cookies.filter { $0.host == host }.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        guard !text.isEmpty else { return headers }
        return headers.filter { $0.name.lowercased() != "cookie" } + [HTTPOptions.Header(name: "Cookie", value: text)]
    }
}
#endif
