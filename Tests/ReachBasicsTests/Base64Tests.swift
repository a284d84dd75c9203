import ReachBasics
import Testing

struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `base64 is encoded and decoded`(text: String, encoded: String) {
        #expect(Array(text.utf8).base64 == encoded)
        #expect([UInt8](base64: encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg=", "Z===", "====", "Zg=x", "Zm9\n", "Zä=="])
    func `text that is not base64 is rejected`(text: String) {
        #expect([UInt8](base64: text) == nil)
    }
}
