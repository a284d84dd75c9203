/// The resolvers of a machine, as resolv.conf(5) names them.
struct ResolverFile: Sendable, Hashable {
    /// How many resolvers a C library asks; what follows is not for use.
    static let mostResolvers = 3

    /// The resolvers in the order in which they are asked; where none is named it is this machine itself. Never empty.
    let resolvers: [IPAddress]

    /// Reads the text of the file. Lines that are no `nameserver` with an address do not matter here.
    init(_ text: String) {
        let named = text.split(whereSeparator: \.isNewline).lazy.compactMap(Self.resolver)
        let resolvers = Array(named.prefix(Self.mostResolvers))
        self.resolvers = resolvers.isEmpty ? [IPAddress(bytes: [127, 0, 0, 1])].compactMap(\.self) : resolvers
    }

    /// The keyword starts the line, and the address ends with the next blank.
    private static func resolver(_ line: Substring) -> IPAddress? {
        let words = line.split(maxSplits: 2) { $0 == " " || $0 == "\t" }
        guard line.hasPrefix("nameserver"), words.count >= 2, words[0] == "nameserver" else { return nil }
        return IPAddress(literal: String(words[1]))
    }
}
