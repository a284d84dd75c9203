import ReachBasics
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// The functions of a login, with the vectors of their standards.
struct HasherTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// FIPS 180-4, examples of the NIST; and a text of each length around a block.
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                LongText(String(repeating: "a", count: 1_000_000)),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ] as [(LongText, String)]
    )
    func `SHA-256 has the hashes of its standard`(long: LongText, hash: String) {
        #expect(hex(SHA256Hasher.digest(of: Array(long.text.utf8))) == hash)
    }

    @Test(arguments: 0..<130)
    func `SHA-256 does not depend on how the bytes are split`(length: Int) {
        let bytes = (0..<length).map { UInt8($0) }
        var hasher = SHA256Hasher()
        for byte in bytes { hasher.update([byte]) }
        #expect(hasher.digest == SHA256Hasher.digest(of: bytes))
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test func `HMAC has the codes of its standard`() {
        #expect(
            hex(HMACKey([UInt8](repeating: 0x0B, count: 20)).authenticate(Array("Hi There".utf8)))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        )
        #expect(
            hex(HMACKey(Array("Jefe".utf8)).authenticate(Array("what do ya want for nothing?".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        let long = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(
            hex(HMACKey([UInt8](repeating: 0xAA, count: 131)).authenticate(long))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        )
    }

    /// RFC 1321 §A.5.
    @Test(
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ]
    )
    func `MD5 has the hashes of its standard`(text: String, hash: String) {
        #expect(MD5Hasher.hexDigest(of: Array(text.utf8)) == hash)
    }

    /// RFC 7677 §3, with the name of the user that PostgreSQL leaves out.
    @Test func `SCRAM-SHA-256 proves the password in both directions`() throws {
        // The standard's example has a user, which is part of the signed text. Its key is independent of that.
        let salt = try #require([UInt8](base64: "W22ZaJ0SNY7soEsUEjb6gQ=="))
        let key = PasswordKey(password: Array("pencil".utf8), salt: salt, iterations: 4_096).derived()
        let serverKey = HMACKey(key).authenticate(Array("Server Key".utf8))
        let text =
            "n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
            + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
        #expect(
            HMACKey(serverKey).authenticate(Array(text.utf8)).base64 == "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
        )

        var client = SCRAMClient(password: "pencil", nonce: "abc")
        #expect(client.begin() == "n,,n=,r=abc")
        let challenge = "r=abcdef,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
        let derivation = try client.receive(serverFirst: Array(challenge.utf8))
        #expect(derivation.derived() == key)
        let final = client.finalMessage(with: key)
        #expect(final?.hasPrefix("c=biws,r=abcdef,p=") == true)
        let signed = "n=,r=abc,\(challenge),c=biws,r=abcdef"
        let signature = HMACKey(serverKey).authenticate(Array(signed.utf8)).base64
        for (proof, isValid) in [("v=AAAA", false), ("v=\(signature)", true)] {
            let isAccepted = client.receive(serverFinal: Array(proof.utf8))
            #expect(isAccepted == isValid && client.isVerified == isValid)
        }
    }

    @Test(
        arguments: [
            "", "r=abc,s=QUFB,i=4096", "r=xbc1,s=QUFB,i=4096", "r=abc1,s=,i=4096", "r=abc1,s=%,i=4096",
            "r=abc1,s=QUFB,i=0", "r=abc1,s=QUFB,i=x", "r=abc1,s=QUFB",
            "m=x,r=abc1,s=QUFB,i=1",
        ]
    )
    func `an invalid challenge is a failure`(challenge: String) {
        var client = SCRAMClient(password: "p", nonce: "abc")
        _ = client.begin()
        #expect(throws: (any Error).self) { try client.receive(serverFirst: Array(challenge.utf8)) }
    }
}
