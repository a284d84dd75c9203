import Foundation
import Testing

extension EndToEnd {
    /// The records of a DNS module as texts, compared with Debian's blackbox exporter: BIND serves all types that it knows.
    @Suite(.serialized) struct RecordTests {
        /// The zone. The types IPSECKEY, ISDN, AMTRELAY and RESINFO are known only to later releases of the exporter.
        private static let zone = ##"""
                $TTL 300
                @ SOA ns.all.test. host\.master.all.test. 7 3600 600 86400 300
                @ NS ns
                ns A 192.0.2.53
                all A 192.0.2.1
                all AAAA 2001:db8::1
                all AFSDB 1 afs
                all APL 1:192.0.2.0/24 !1:192.0.2.64/28 2:2001:db8::/32
                all AVC "app" "x=1"
                all CAA 0 issue "ca.example; account=12"
                all CAA 128 iodef "mailto:a@b.example"
                all CDNSKEY 257 3 13 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
                all CDS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D
                all CERT PKIX 12345 RSASHA256 AQIDBA==
                all CERT 9 1 200 AQIDBA==
                all CSYNC 66 3 A NS AAAA
                all DHCID AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=
                all DNSKEY 257 3 13 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==
                sub DS 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
                sub NS ns.sub
                ns.sub A 192.0.2.54
                all EUI48 00-00-5e-00-53-2a
                all EUI64 00-00-5e-ef-10-00-00-2a
                all GPOS -22.6882 116.8652 250.0
                all HINFO "PC AT" "Linux \"6\""
                all HIP 2 200100107B1A74DF365639CC39F1D578 AQIDBA== rvs1 rvs2
                all HTTPS 1 . alpn="h2,h3" port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1
                all HTTPS 3 . ech="AQIDBA=="
                all HTTPS 2 svc mandatory=alpn,port alpn="a\\,b,c\\\\d" no-default-alpn port=53 dohpath="/dns{?dns}" key65400="x y\;\001"
                all KEY 512 3 8 AQNRU3mG
                all KX 10 kx
                all L32 10 10.1.2.0
                all L64 10 2001:0DB8:1140:1000
                all LOC 52 22 23.000 N 4 53 32.123 W -2.50m 0.05m 10000m 10m
                all LOC 42 21 54 S 71 06 18 E 24m 30m
                all LP 10 l64
                all MX 10 mail
                all MX 0 .
                all NAPTR 100 50 "s" "z3950+I2L+I2C" "!^.*$!sip:i\"nfo@example.com!" _z3950._tcp
                all NID 10 0014:4fff:ff20:ee64
                all NINFO "one" "two three"
                all OPENPGPKEY AQIDBA==
                all PX 50 a b
                ptr PTR target
                all PTR we\ird.na\"me.x\@y\(z\;.all.test.
                all RP mbox txt
                all RT 10 relay
                all RRSIG A 13 3 300 20300101000000 20260101000000 12345 all.test. AQIDBA==
                nsec NSEC next.all.test. A NS TXT RRSIG CAA TYPE1234
                n3p NSEC3PARAM 1 0 12 aabbccdd
                all SMIMEA 3 1 1 0C72AC70B745AC19998811B131D662C9AC69DBDBE7CB23E5B514B56664C5D3D6
                all SPF "v=spf1 -all"
                all SRV 0 5 5060 sip
                all SSHFP 2 1 123456789abcdef67890123456789abcdef67890
                all SVCB 0 alias
                all SVCB 16 foo.all.test. key667=hello\210qoo
                all TA 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
                all TALINK a b
                all TLSA 3 1 1 0C72AC70B745AC19998811B131D662C9AC69DBDBE7CB23E5B514B56664C5D3D6
                all TXT "a\"b\\c" "d e" "" "\001\255"
                all URI 10 1 "ftp://ftp1.example.com/pu\\blic\"x"
                all X25 "311061700956"
                all ZONEMD 7 1 1 F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3F0DBB1A3
                all TYPE65280 \# 4 0a000001
                all DOA 1 2 3 "text" AQID
                all NSAP-PTR a.b.
                all NSAP 0x47.0005.80.005a00.0000.0001.e133.ffffff000161.00
                all EID 0102
                all NIMLOC 0102
                all MB m
                all MG m
                all MR m
                all MINFO a b
                all DLV 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118
                all A6 0 2001:db8::1
                all SINK 1 2 3 AQID
                all ATMA +61200000000
                all RKEY 0 3 8 AQID
                all WKS 192.0.2.1 tcp 25 80
                all NXT next A NS
                dn DNAME other.example.
                cn CNAME we\.ird
            """##

        /// The modules: their options in the section `dns`.
        private static let modules = [
            "any": "query_name: all.all.test", "ptr": "query_name: ptr.all.test", "param": "query_name: n3p.all.test",
            "nsec": "query_name: nsec.all.test", "dname": "query_name: x.dn.all.test, query_type: A",
            "ds": "query_name: sub.all.test, query_type: DS", "escape": "query_name: cn.all.test, query_type: A",
            "caa": "query_name: all.all.test, query_type: CAA, validate_answer_rrs: { fail_if_none_matches_regexp: "
                + "['CAA\\s0 issue \"ca']}",
            "https": "query_name: all.all.test, query_type: HTTPS, validate_answer_rrs: { fail_if_none_matches_regexp: "
                + "['alpn=\"h2,h3\"']}",
            "chaos": "query_name: version.bind, query_type: TXT, query_class: CH, validate_answer_rrs: "
                + "{ fail_if_not_matches_regexp: ['CH\\sTXT\\s\"v 1\"']}",
            "not": "query_name: all.test, query_type: SOA, validate_answer_rrs: {fail_if_not_matches_regexp: [xyz]}",
            "none": "query_name: all.test, query_type: SOA, validate_answer_rrs: {fail_if_none_matches_regexp: [xyz]}",
            "match": "query_name: all.test, query_type: SOA, validate_answer_rrs: {fail_if_matches_regexp: [SOA]}",
            "all": "query_name: all.test, query_type: SOA, validate_authority_rrs: {fail_if_all_match_regexp: [xyz]}",
            "code": "query_name: none.all.test, query_type: A",
            "empty": "query_name: all.test, query_type: CAA, validate_answer_rrs: {fail_if_none_matches_regexp: [xyz]}",
        ]

        private let scratch: Scratch
        private let dns: UInt16

        init() throws {
            scratch = try Scratch()
            dns = try Listener.freePort()
        }

        /// Starts BIND on loopback.
        private func startServer() async throws -> Child {
            try scratch.write(Self.zone + "\n", to: "zone", mode: 0o644)
            let settings = """
                options {
                  directory "\(scratch.path)"; pid-file none; session-keyfile none; version "v 1";
                  listen-on port \(dns) { 127.0.0.1; }; listen-on-v6 { none; };
                  recursion no; rrset-order { order none; }; minimal-any no; minimal-responses no; check-names primary ignore; dnssec-validation no;
                };
                controls { };
                zone "all.test" { type primary; file "zone"; };
                """
            let path = try scratch.write(settings, to: "named.conf", mode: 0o644)
            let child = try Child(
                ["named", "-g", "-c", path],
                in: scratch.path,
                streams: .files(output: scratch.file("named.out"), errors: scratch.file("named.err"))
            )
            let scratch = scratch
            try await eventually("BIND", context: { scratch.text(of: "named.err") }) {
                scratch.text(of: "named.err").contains("running\n")
            }
            return child
        }

        /// The messages and the records of the log in a page with `debug=true`.
        private func log(_ page: HTTPResponse) -> [String] {
            page.lines.prefix { !$0.hasPrefix("Metrics that") }.compactMap { line in
                guard let message = line.firstMatch(of: /msg=("[^"]*"|\S+)/)?.1 else { return nil }
                let record = line.firstRange(of: " rr=").map { line[$0.lowerBound...] } ?? ""
                let pattern = line.firstMatch(of: /\ regexp=\S+/)?.0 ?? ""
                return "\(message)\(pattern)\(record)"
            }
        }

        /// The answer as the page shows it, without its random number.
        private func answer(_ page: HTTPResponse) -> String {
            let line = page.lines.first { $0.contains("Got response") } ?? ""
            return (line.firstRange(of: " response=").map { String(line[$0.lowerBound...]) } ?? "")
                .replacing(/id: \d+/, with: "id: 0")
        }

        @Test(.enabled(if: Machine.canCompareRecords, "named or prometheus-blackbox-exporter is missing"))
        func `records of every type have the texts of the blackbox exporter, and so has the log`() async throws {
            let server = try await startServer()
            let modules = Self.modules.map { name, options in
                let shared = "transport_protocol: tcp, preferred_ip_protocol: ip4"
                return "  \(name): { prober: dns, timeout: 9s, dns: { \(shared), \(options) } }\n"
            }
            let path = try scratch.write("modules:\n\(modules.joined())", to: "blackbox.yml")
            let watch = try await ListeningWatch("", options: ["--blackbox", path])
            let port = try Listener.freePort()
            let exporter = try scratch.start([
                "prometheus-blackbox-exporter", "--config.file=\(path)", "--web.listen-address=127.0.0.1:\(port)",
            ])
            let scratch = scratch
            try await eventually("exporter", context: { scratch.text(of: "err") }) {
                (try? RawHTTPClient.get("/-/healthy", at: port).status) == 200
            }
            for name in Self.modules.keys.sorted() {
                let query = "/probe?module=\(name)&target=127.0.0.1:\(dns)&debug=true"
                let (ours, theirs) = (try watch.get(query), try RawHTTPClient.get(query, at: port))
                let (found, expected) = (log(ours), log(theirs))
                for (one, other) in zip(found, expected) where one != other {
                    Issue.record("\(name): \(one)\n\(other)")
                }
                #expect(found.count == expected.count && found.count > 5, "\(name): \(found)\n\(expected)")
                #expect(answer(ours) == answer(theirs), "\(name)")
                let isSuccess = ours.lines.contains("probe_success 1")
                #expect(isSuccess == theirs.lines.contains("probe_success 1"), "\(name)")
            }
            withExtendedLifetime((server, exporter)) {}
        }
    }
}
