import Testing

@testable import ReachMonitoring

@Suite struct AutonomousSystemsTests {
    private static let file = """
        1.0.0.0\t1.0.0.255\t13335\tUS\tCLOUDFLARENET
        1.0.1.0\t1.0.3.255\t0\tNone\tNot routed
        192.0.2.0\t192.0.2.127\t64500\tZZ\tEXAMPLE-A
        192.0.2.128\t192.0.2.255\t64501\tZZ\tEXAMPLE-B, two words
        2001:db8::\t2001:db8:0:ffff:ffff:ffff:ffff:ffff\t64500\tZZ\tEXAMPLE-A

        """

    @Test(arguments: [
        ("1.0.0.7", 13_335, "CLOUDFLARENET"), ("192.0.2.0", 64_500, "EXAMPLE-A"), ("192.0.2.127", 64_500, "EXAMPLE-A"),
        ("192.0.2.128", 64_501, "EXAMPLE-B, two words"), ("2001:db8::1", 64_500, "EXAMPLE-A"),
        ("2001:db8:0:ffff:ffff:ffff:ffff:ffff", 64_500, "EXAMPLE-A"), ("2001:db8::1%eth0", 64_500, "EXAMPLE-A"),
    ]) func `an address is in the system of its range`(address: String, number: UInt32, name: String) throws {
        let systems = try AutonomousSystems(reading: Array(Self.file.utf8))
        #expect(systems.system(of: address) == .init(number: number, name: name))
    }

    @Test(arguments: ["1.0.1.1", "0.255.255.255", "192.0.3.0", "2001:db8:1::", "::", "host", "", "10.0.0.1", "1.0.0"])
    func `an address in no range has no system`(address: String) throws {
        #expect(try AutonomousSystems(reading: Array(Self.file.utf8)).system(of: address) == nil)
    }

    @Test func `the order of lines and the ends of lines do not matter`() throws {
        let lines = Self.file.split(separator: "\n").reversed().joined(separator: "\r\n")
        let systems = try AutonomousSystems(reading: Array(lines.utf8))
        #expect(systems.count == 4)
        #expect(systems.system(of: "192.0.2.200")?.number == 64_501)
    }

    @Test(arguments: [
        ("1.0.0.0\t1.0.0.255\n", 1), ("1.0.0.0\t1.0.0.255\t1\tUS\tX\nnonsense", 2), ("1.0.0.0\t::1\t1", 1),
        ("1.0.0.9\t1.0.0.1\t1", 1), ("1.0.0.0,1.0.0.255,1", 1), ("1.0.0.0\t1.0.0.256\t1", 1),
        ("\u{1F}\u{8B}\u{8}\0", 1),
        ("1.0.0.0\t1.0.0.255\t-1", 1), ("1.0.0.0\t1.0.0.255.\t1", 1), ("1.0.0.0\t1.0.255\t1", 1),
    ]) func `a line in another format is named`(text: String, line: Int) {
        #expect { try AutonomousSystems(reading: Array(text.utf8)) } throws: { error in
            let problem = error as? AutonomousSystems.Problem
            return problem?.line == line && problem?.description.contains("ip2asn-combined.tsv") == true
        }
    }

    @Test(arguments: ["", "\n\n", "1.0.1.0\t1.0.3.255\t0\tNone\tNot routed"])
    func `a file without ranges is a problem`(text: String) {
        #expect { try AutonomousSystems(reading: Array(text.utf8)) } throws: { error in
            (error as? AutonomousSystems.Problem)?.line == nil
        }
    }
}
