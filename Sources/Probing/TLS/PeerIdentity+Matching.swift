#if Fetch || TLS
import Monitoring

extension PeerIdentity {
    /// Returns whether a certificate is valid for this identity (RFC 9525 §6). The common name does not count.
    func matches(_ certificate: CertificateFields) -> Bool {
        // Malformed names match nothing.
        guard let names = try? certificate.alternativeNames() else { return false }
        switch self {
        case .address(let address):
            return names.contains { $0.tag == 7 && $0.bytes.elementsEqual(address.bytes) }
        case .name(let name):
            return names.contains { $0.tag == 2 && Self.matches($0.bytes, name) }
        }
    }

    /// Returns whether a certificate name matches a host name. A wildcard is the whole first label (RFC 9525 §6.3).
    private static func matches(_ pattern: some Collection<UInt8>, _ host: String) -> Bool {
        let (pattern, host) = (labels(pattern), labels(host.utf8))
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        func isLetter(_ byte: UInt8) -> Bool {
            // Host names have no underscore, but names in the DNS and in certificates do (RFC 2181 §11).
            letters.contains(byte) || digits.contains(byte) || "-._".utf8.contains(byte)
        }
        guard host.joined().allSatisfy(isLetter), pattern.dropFirst() == host.dropFirst() else { return false }
        return pattern[0] == host[0] || pattern[0].elementsEqual("*".utf8) && !host[0].isEmpty
    }

    /// Returns the first label of a name and the rest of it, in lower case and without a trailing dot.
    private static func labels(_ name: some Collection<UInt8>) -> [[UInt8]] {
        let dot = UInt8(ascii: ".")
        let name = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let rooted = name.last == dot ? name.dropLast() : name[...]
        return rooted.split(separator: dot, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    }
}
#endif
