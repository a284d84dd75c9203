import ReachBasics

extension Terminal {
    /// Puts text on the clipboard of the terminal's user, local or remote, by OSC 52. A terminal that does not support it
    /// ignores it without a reply. Control characters except line ends are removed, and text over the limit is cut.
    public func copy(_ text: String) {
        painter.send(Array(Self.copying(text).utf8))
    }

    /// The same through GNU screen, which passes on device control strings of limited length.
    public func copyThroughScreen(_ text: String) {
        var rest = Self.copying(text)[...]
        var codes = ""
        while !rest.isEmpty {
            codes += "\u{1B}P\(rest.prefix(200))\u{1B}\\"
            rest = rest.dropFirst(200)
        }
        painter.send(Array(codes.utf8))
    }

    private static func copying(_ text: String) -> String {
        "\u{1B}]52;c;\(Array(copied(text).utf8).base64)\u{7}"
    }

    /// The limit in bytes: terminals drop longer text as a whole.
    static let mostCopied = 48 * 1024

    /// The part of a text that is copied.
    public static func copied(_ text: String) -> String {
        var result = ""
        var room = mostCopied
        for scalar in text.unicodeScalars where scalar == "\n" || !scalar.isControl {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
