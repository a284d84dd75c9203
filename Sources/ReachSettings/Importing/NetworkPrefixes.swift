import ReachBasics
import ReachMonitoring

/// The sizes of the networks by which imported targets are grouped, for each IP version.
package struct NetworkPrefixes: Sendable, Hashable {
    /// The bits of the prefix; nil for no groups.
    let v4: Int?
    let v6: Int?

    /// Parses `/24`, `/64` – above 32, for IPv6 –, or both, `/24,/64`; nil for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> Int? in
            let digits = part.hasPrefix("/") ? part.dropFirst() : part
            return digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
        }
        switch parts.count {
        case 1:
            guard let bits = parts[0], (1...128).contains(bits) else { return nil }
            (v4, v6) = bits <= 32 ? (bits, nil) : (nil, bits)
        case 2:
            guard let first = parts[0], let second = parts[1], (1...32).contains(first), (1...128).contains(second)
            else { return nil }
            (v4, v6) = (first, second)
        default:
            return nil
        }
    }

    /// The network of a host, `10.1.2.0/24`; nil for a name, and for an address of the other version.
    func network(of host: String) -> String? {
        guard let family = Family(ofAddress: host), let bits = family == .v4 ? v4 : v6 else { return nil }
        return NetworkPattern.network(of: host, bits: bits)
    }
}

extension ImportDraft {
    /// Adds the hosts of a list for `fping -f`. fping reads the first word of each line (fping(8)).
    ///
    /// A comment directly before hosts is the name of their group, which ends with a blank line or the next such comment.
    mutating func addList(_ text: String) {
        var (heading, group) = (String?.none, String?.none)
        for (number, line) in text.importLines {
            let words = line.importWords
            guard let host = words.first else {
                (heading, group) = (nil, nil)
                continue
            }
            if host.hasPrefix("#") {
                heading = line.listHeading ?? heading
                continue
            }
            if heading != nil { (heading, group) = (nil, heading) }
            add(
                url: "icmp://\(host)",
                name: String(host).withoutSecretsOfInvalidURL,
                group: group,
                line: number
            )
        }
    }

    /// Groups the targets without a group by their networks. Targets with a name for a host are noted.
    mutating func group(by prefixes: NetworkPrefixes) {
        var names: [Int] = []
        group { target in
            guard let host = (try? Question(target.url))?.host else { return nil }
            if Family(ofAddress: host) == nil { names.append(target.line) }
            return prefixes.network(of: host)
        }
        for line in names { noteOnce(line, about: "--group-by", "a name has no network, so its target has no group") }
    }
}

extension Substring {
    /// The name of a group in a comment, without the signs that decorate it; nil for none, or for a host that was commented
    /// out.
    fileprivate var listHeading: String? {
        let decoration: Set<Character> = ["#", "=", "-", "*", "_", ":", " ", "\t", "\r"]
        let text = String(drop(while: decoration.contains).reversed().drop(while: decoration.contains).reversed())
        let isHost = text[...].importWords.count == 1 && text.contains { $0 == "." || $0 == ":" }
        let isName = text.utf8.count <= Target.maxNameLength && !text.unicodeScalars.contains(where: \.isControl)
        return text.isEmpty || isHost || !isName ? nil : text
    }
}
