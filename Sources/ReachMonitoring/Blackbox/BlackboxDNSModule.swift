/// The query of a DNS module, and the checks of the answer.
package struct BlackboxDNSModule: Sendable, Hashable {
    /// The patterns for the records of one section, in the format of zone files.
    package struct Validation: Sendable, Hashable {
        /// The probe fails if a record matches one of these.
        package var failsIfMatches: [BlackboxPattern] = []
        /// The probe fails if every record matches each of these.
        package var failsIfAllMatch: [BlackboxPattern] = []
        /// The probe fails if a record does not match one of these, or if there is no record.
        package var failsIfNotMatches: [BlackboxPattern] = []
        /// The probe fails if no record matches any of these.
        package var failsIfNoneMatches: [BlackboxPattern] = []

        /// Creates a validation that accepts anything.
        package init() {}

        /// Whether there are no patterns.
        package var isEmpty: Bool { self == Validation() }
    }

    /// The name that is queried.
    package var name: String
    /// The number of the type; 255 (`ANY`) by default.
    package var type: UInt16 = 255
    /// The number of the class; 1 (`IN`) by default.
    package var recordClass: UInt16 = 1
    /// The transport of the query.
    package var transport = DNSQuestion.Transport.udp
    /// Whether the query is sent by TLS (RFC 7858).
    package var isSecure = false
    /// The options for TLS.
    package var tls = TLSOptions()
    /// Whether the server is asked to resolve the name by other servers.
    package var desiresRecursion = true
    /// The numbers of the response codes that are expected.
    package var responseCodes: [UInt16] = [0]
    /// The checks of the answer section.
    package var answer = Validation()
    /// The checks of the authority section.
    package var authority = Validation()
    /// The checks of the additional section.
    package var additional = Validation()

    /// Creates a query for all records of a name.
    package init(name: String) {
        self.name = name
    }
}

extension BlackboxDNSModule {
    /// The names of types (https://www.iana.org/assignments/dns-parameters) that the blackbox exporter knows.
    private static let types: [String: UInt16] = [
        "None": 0, "A": 1, "NS": 2, "MD": 3, "MF": 4, "CNAME": 5, "SOA": 6, "MB": 7, "MG": 8, "MR": 9, "NULL": 10,
        "PTR": 12, "HINFO": 13, "MINFO": 14, "MX": 15, "TXT": 16, "RP": 17, "AFSDB": 18, "X25": 19, "ISDN": 20,
        "RT": 21, "NSAP-PTR": 23, "SIG": 24, "KEY": 25, "PX": 26, "GPOS": 27, "AAAA": 28, "LOC": 29, "NXT": 30,
        "EID": 31, "NIMLOC": 32, "SRV": 33, "ATMA": 34, "NAPTR": 35, "KX": 36, "CERT": 37, "DNAME": 39, "OPT": 41,
        "APL": 42, "DS": 43, "SSHFP": 44, "IPSECKEY": 45, "RRSIG": 46, "NSEC": 47, "DNSKEY": 48, "DHCID": 49,
        "NSEC3": 50, "NSEC3PARAM": 51, "TLSA": 52, "SMIMEA": 53, "HIP": 55, "NINFO": 56, "RKEY": 57, "TALINK": 58,
        "CDS": 59, "CDNSKEY": 60, "OPENPGPKEY": 61, "CSYNC": 62, "ZONEMD": 63, "SVCB": 64, "HTTPS": 65, "SPF": 99,
        "UINFO": 100, "UID": 101, "GID": 102, "UNSPEC": 103, "NID": 104, "L32": 105, "L64": 106, "LP": 107,
        "EUI48": 108, "EUI64": 109, "NXNAME": 128, "TKEY": 249, "TSIG": 250, "IXFR": 251, "AXFR": 252, "MAILB": 253,
        "MAILA": 254, "ANY": 255, "URI": 256, "CAA": 257, "AVC": 258, "AMTRELAY": 260, "RESINFO": 261, "TA": 32_768,
        "DLV": 32_769, "Reserved": 65_535,
    ]
    private static let classes: [String: UInt16] = ["IN": 1, "CS": 2, "CH": 3, "HS": 4, "NONE": 254, "ANY": 255]
    private static let codes: [String: UInt16] = [
        "NOERROR": 0, "FORMERR": 1, "SERVFAIL": 2, "NXDOMAIN": 3, "NOTIMP": 4, "REFUSED": 5, "YXDOMAIN": 6,
        "YXRRSET": 7, "NXRRSET": 8, "NOTAUTH": 9, "NOTZONE": 10, "DSOTYPENI": 11, "BADSIG": 16, "BADKEY": 17,
        "BADTIME": 18, "BADMODE": 19, "BADNAME": 20, "BADALG": 21, "BADTRUNC": 22, "BADCOOKIE": 23,
    ]
    private static let namesOfTypes = names(of: types)
    private static let namesOfClasses = names(of: classes)
    private static let namesOfCodes = names(of: codes)

    /// The number of a type; nil for an unknown name.
    package static func type(named name: String) -> UInt16? { types[name] }

    /// The number of a class; nil for an unknown name.
    package static func recordClass(named name: String) -> UInt16? { classes[name] }

    /// The number of a response code; nil for an unknown name.
    package static func responseCode(named name: String) -> UInt16? { codes[name] }

    /// The names of the types, for a hint.
    package static var typeNames: [String] { types.keys.sorted() }

    /// The names of the classes, in the order of their numbers.
    package static var classNames: [String] { classes.keys.sorted { classes[$0] ?? 0 < classes[$1] ?? 0 } }

    /// The names of the response codes, in the order of their numbers.
    package static var responseCodeNames: [String] { codes.keys.sorted { codes[$0] ?? 0 < codes[$1] ?? 0 } }

    /// The name of a type; `TYPE` and the number for an unknown one (RFC 3597 §5).
    package static func typeName(_ number: UInt16) -> String { namesOfTypes[number] ?? "TYPE\(number)" }

    /// The name of a class; `CLASS` and the number for an unknown one, and for `ANY`, which is a type too.
    package static func className(_ number: UInt16) -> String {
        namesOfClasses[number].flatMap { types[$0] == nil ? $0 : nil } ?? "CLASS\(number)"
    }

    /// The name of a response code; the number for an unknown one.
    package static func responseCodeName(_ number: UInt16) -> String { namesOfCodes[number] ?? "\(number)" }

    private static func names(of numbers: [String: UInt16]) -> [UInt16: String] {
        Dictionary(numbers.map { ($1, $0) }, uniquingKeysWith: { one, _ in one })
    }
}
