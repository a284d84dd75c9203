import Monitoring

extension ImportDraft {
    /// Adds the hosts of a list for `fping -f`. fping reads the first word of each line (fping(8)).
    mutating func addList(_ text: String) {
        for (number, line) in text.importLines {
            guard let host = line.importWords.first, !host.hasPrefix("#") else { continue }
            add(url: "icmp://\(host)", name: String(host).withoutSecretsOfInvalidURL, line: number)
        }
    }

    /// Adds the addresses of a hosts(5) file, each by its first name that no other address has.
    mutating func addHosts(_ text: String) {
        for (number, line) in text.importLines {
            let words = line.prefix { $0 != "#" }.importWords
            guard let address = words.first.map(String.init) else { continue }
            guard Family(ofAddress: address) != nil else {
                note(number, about: address, "invalid address", hint: "such as 192.0.2.1")
                continue
            }
            guard words.count > 1 else {
                note(number, about: address, "no name after the address")
                continue
            }
            let names = words.dropFirst().map(String.init)
            let name = names.first { !hasTarget(named: $0) } ?? names[0]
            if let kind = Self.kind(ofAddress: address) {
                note(number, about: name, "\(address) is \(kind), not a host")
            } else {
                add(url: "icmp://\(address)", name: name, line: number)
            }
        }
    }

    /// Returns what an address is that belongs to no single host; nil for the address of a host.
    private static func kind(ofAddress address: String) -> String? {
        let address = address.lowercased()
        if address == "0.0.0.0" || address == "::" { return "the unspecified address" }
        if address == "255.255.255.255" { return "the broadcast address" }
        if address.contains(":") {
            return address.hasPrefix("ff")
                ? "a multicast address" : address.hasPrefix("fe0") ? "a reserved address" : nil
        }
        let first = address.prefix { $0 != "." }
        return Int(first).map { (224...239).contains($0) } == true ? "a multicast address" : nil
    }
}

extension String {
    /// The lines with their numbers, counted from one.
    var importLines: [(number: Int, line: Substring)] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map { ($0 + 1, $1) }
    }
}
