import Monitoring
import ReachBasics

extension TableReader {
    /// Reads the name of a file, and returns its path: a relative name is relative to the file that has the key.
    mutating func file(_ key: String) -> String? {
        describe(key, as: .text(matching: #"^[^~\s]"#))
        guard let file = text(key) else { return nil }
        if let (message, hint) = Self.problem(inFileName: file) {
            report(message, hint: hint, about: key)
            return nil
        }
        return file.hasPrefix("/") ? file : log.directory(ofFile: path.file) + file
    }

    /// Returns why a text is no name of a file, and the fix; nil if it can be one.
    static func problem(inFileName file: String) -> (message: String, hint: String)? {
        guard !file.allSatisfy(\.isWhitespace), !file.unicodeScalars.contains(where: \.isControl) else {
            return ("invalid file name \(file.quoted)", "such as \"ca.pem\", beside this file")
        }
        guard !file.hasPrefix("~") else {
            return ("\"~\" is not expanded", "${HOME}\(file.drop { $0 != "/" })")
        }
        return nil
    }

    /// Reads the name expected in the certificate of a server.
    mutating func serverName(_ key: String) -> String? {
        guard let typed = text(key) else { return nil }
        let name = (try? typed.convertedDomainName) ?? typed
        let isName = (1...253).contains(name.utf8.count) && name.utf8.allSatisfy(\.isPartOfHostName)
        guard isName || Family(ofAddress: name) != nil else {
            report("invalid server name \(name.quoted)", hint: "such as shop.example.com, without a port", about: key)
            return nil
        }
        return name
    }

    /// Reads the source address or interface of probes.
    mutating func source(_ key: String) -> String? {
        guard let source = text(key) else { return nil }
        // The kernel stores at most fifteen bytes (IFNAMSIZ without the terminating zero).
        let isInterface =
            (1...15).contains(source.utf8.count) && source.contains(where: \.isLetter)
            && !source.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "/:[]".utf8.contains($0) }
        guard isInterface || Family(ofAddress: source) != nil else {
            report(
                "\(source.quoted) is neither an address nor an interface",
                hint: "such as 192.0.2.1 or eth0",
                about: key
            )
            return nil
        }
        return source
    }
}

extension UInt8 {
    /// Whether a host name may contain this byte. The underscore violates the standard, but is in use.
    fileprivate var isPartOfHostName: Bool {
        isASCIILetterOrDigit || "-._".utf8.contains(self)
    }
}
