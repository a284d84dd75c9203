import ReachMonitoring
import Testing

@testable import ReachProbing

/// The texts of records that BIND does not serve to the end-to-end tests, or that Debian's blackbox exporter does not know.
struct BlackboxRecordTests {
    /// The text of a record with this type and data, as the only one of an answer; nil if the answer is malformed.
    private func text(_ type: UInt16, _ data: [UInt8], class recordClass: UInt16 = 1) -> String? {
        var bytes: [UInt8] = [0, 7, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0] + wire("a.test") + [0, 255, 0, 1, 0xC0, 0x0C]
        bytes += type.inNetworkOrder + recordClass.inNetworkOrder + [0, 0, 1, 0x2C]
        bytes += UInt16(data.count).inNetworkOrder + data
        guard let message = BlackboxDNSMessage(bytes), message.isComplete else { return nil }
        return message.answers.first
    }

    @Test(
        arguments: [
            (
                46, [0, 1, 13, 2, 0, 0, 0, 60, 0x70, 0xDB, 0xD8, 0x80, 0x6A, 0, 0, 0, 0, 7, 0xC0, 0x0C, 1, 2, 3],
                "RRSIG\tA 13 2 60 20300101000000 20260510034816 7 a.test. AQID"
            ),
            (50, [1, 0, 0, 12, 2, 0xAA, 0xBB, 3, 1, 2, 3, 0, 1, 0x40], "NSEC3\t1 0 12 AABB 04106 A"),
            (50, [1, 0, 0, 0, 0, 0, 0, 1, 0x40], "NSEC3\t1 0 0 -  A"),
            (51, [1, 0, 0, 0, 0], "NSEC3PARAM\t1 0 0 -"),
            (45, [10, 1, 2, 192, 0, 2, 38, 1], "IPSECKEY\t10 1 2 192.0.2.38 AQ=="),
            (45, [10, 3, 2, 0xC0, 0x0C, 1], "IPSECKEY\t10 3 2 a.test. AQ=="),
            (260, [10, 0x81, 192, 0, 2, 9], "AMTRELAY\t10 1 1 192.0.2.9"),
            (20, [1, 0x31, 1, 0x32], "ISDN\t\"1\" \"2\""), (261, [1, 0x61], "RESINFO\t\"a\""),
            (28, Array(repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1], "AAAA\t::ffff:192.0.2.1"),
            (
                29, [0, 0x12, 0x16, 0x13, 0x80, 0, 0, 1, 0x7F, 255, 255, 255, 0, 0x98, 0x96, 0x4E],
                "LOC\t00 00 0.001 N 00 00 0.001 W -0.50m 1m 10000m 10m"
            ),
            (43, [0, 7, 13, 2], "DS\t7 13 2 "), (16, [], "TXT\t"), (3, [0], "MD\t."), (101, [0, 0, 0, 5], "UID\t5"),
            (12, [4, 0x61, 0x2E, 0x40, 0x20, 0], "PTR\ta\\.\\@\\ ."), (12, [2, 0, 0xFF, 0], "PTR\t\\000\\255."),
        ] as [(UInt16, [UInt8], String)]
    )
    func `a record has the text of the library of the blackbox exporter`(
        type: UInt16,
        data: [UInt8],
        expected: String
    ) {
        #expect(text(type, data) == "a.test.\t300\tIN\t\(expected)")
    }

    @Test func `classes, unknown types and comments`() {
        #expect(text(16, [1, 0x61], class: 3) == "a.test.\t300\tCH\tTXT\t\"a\"")
        #expect(text(16, [1, 0x61], class: 255) == "a.test.\t300\tCLASS255\tTXT\t\"a\"")
        #expect(text(64_000, [1, 0xFF], class: 3) == "a.test.\t300\tCLASS3\tTYPE64000\t\\# 2 01ff")
        #expect(text(10, [0x61]) == ";a.test.\t300\tIN\tNULL\ta")
        #expect(text(41, [], class: 1_232) == "\n;; OPT PSEUDOSECTION:\n; EDNS: version 0; flags: ; udp: 1232")
    }

    @Test(
        arguments: [
            (1, [192, 0, 2]), (1, [192, 0, 2, 1, 0]), (16, [5, 0x61]), (29, [0, 0x12]), (47, [0, 1, 0]),
            (47, [0, 0, 33]), (47, [0, 1, 1, 0x40, 0, 1, 0x40]), (50, [1, 0, 0, 0, 9]), (42, [0, 3, 24, 0]),
            (42, [0, 1, 33, 0]), (42, [0, 1, 24, 1, 0]), (64, [0, 1, 0, 0, 4, 0, 3, 192, 0, 2]),
            (64, [0, 1, 0, 255, 255, 0, 0]),
            (55, [9, 2, 0, 1]), (108, [1, 2, 3]), (15, [0, 10]), (12, [0xC0]),
        ] as [(UInt16, [UInt8])]
    )
    func `malformed data makes the answer malformed`(type: UInt16, data: [UInt8]) {
        #expect(text(type, data) == nil)
    }

    @Test func `the answer has the format of dig, and an error may be a header alone`() throws {
        let message = try #require(BlackboxDNSMessage([0, 7, 0x85, 0x85, 0, 1, 0, 3, 0, 0, 0, 0]))
        #expect(message.isComplete && message.code == 5)
        let counts = "QUERY: 0, ANSWER: 0, AUTHORITY: 0, ADDITIONAL: 0"
        #expect(message.text == ";; opcode: QUERY, status: REFUSED, id: 7\n;; flags: qr aa rd ra; \(counts)\n")
        let options: [UInt8] = [0, 0, 41, 4, 208, 1, 0, 0x80, 0, 0, 0]
        let extended = try #require(
            BlackboxDNSMessage([0, 7, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 1] + wire("a.test") + [0, 1, 0, 1] + options)
        )
        #expect(extended.code == 16 && extended.additions.count == 1)
        #expect(extended.text.contains("status: BADSIG"))
        #expect(extended.text.contains("\n;; OPT PSEUDOSECTION:\n; EDNS: version 0; flags: do; udp: 1232\n"))
        #expect(extended.text.hasSuffix("\n;; QUESTION SECTION:\n;a.test.\tIN\t A\n"))
    }
}
