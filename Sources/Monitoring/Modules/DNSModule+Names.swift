extension DNSModule {
    /// The names of types (https://www.iana.org/assignments/dns-parameters).
    private static let types: [String: UInt16] = [
        "A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "HINFO": 13, "MX": 15, "TXT": 16, "RP": 17, "AFSDB": 18,
        "SIG": 24, "KEY": 25, "AAAA": 28, "LOC": 29, "SRV": 33, "NAPTR": 35, "CERT": 37, "DNAME": 39, "DS": 43,
        "SSHFP": 44, "IPSECKEY": 45, "RRSIG": 46, "NSEC": 47, "DNSKEY": 48, "DHCID": 49, "NSEC3": 50,
        "NSEC3PARAM": 51, "TLSA": 52, "SMIMEA": 53, "CDS": 59, "CDNSKEY": 60, "OPENPGPKEY": 61, "CSYNC": 62,
        "ZONEMD": 63, "SVCB": 64, "HTTPS": 65, "SPF": 99, "EUI48": 108, "EUI64": 109, "ANY": 255, "URI": 256,
        "CAA": 257,
    ]
    private static let classes: [String: UInt16] = ["IN": 1, "CH": 3, "HS": 4, "NONE": 254, "ANY": 255]
    private static let codes: [String: UInt16] = [
        "NOERROR": 0, "FORMERR": 1, "SERVFAIL": 2, "NXDOMAIN": 3, "NOTIMP": 4, "REFUSED": 5, "YXDOMAIN": 6,
        "YXRRSET": 7, "NXRRSET": 8, "NOTAUTH": 9, "NOTZONE": 10,
    ]

    /// The number of a type; nil for an unknown name.
    package static func type(named name: String) -> UInt16? { types[name] }

    /// The number of a class; nil for an unknown name.
    package static func recordClass(named name: String) -> UInt16? { classes[name] }

    /// The number of a response code; nil for an unknown name.
    package static func responseCode(named name: String) -> UInt16? { codes[name] }

    /// The names of the types, for a hint.
    package static var typeNames: [String] { types.keys.sorted() }

    /// The names of the response codes, in the order of their numbers.
    package static var responseCodeNames: [String] { codes.keys.sorted { codes[$0] ?? 0 < codes[$1] ?? 0 } }

    /// The name of a type; `TYPE` and the number for an unknown one (RFC 3597 §5).
    package static func typeName(_ number: UInt16) -> String { name(number, of: types) ?? "TYPE\(number)" }

    /// The name of a class; `CLASS` and the number for an unknown one.
    package static func className(_ number: UInt16) -> String { name(number, of: classes) ?? "CLASS\(number)" }

    /// The name of a response code; the number for an unknown one.
    package static func responseCodeName(_ number: UInt16) -> String { name(number, of: codes) ?? "\(number)" }

    private static func name(_ number: UInt16, of names: [String: UInt16]) -> String? {
        names.first { $0.value == number }?.key
    }
}
