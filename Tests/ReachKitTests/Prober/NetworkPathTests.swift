import Foundation
import Testing

@testable import ReachKit

@Suite struct NetworkPathTests {
    @Test(arguments: [
        ("nameserver 192.0.2.53\n", true), ("search example.com\nnameserver\t2001:db8::53", true),
        ("# nameserver 192.0.2.53", false), ("nameserver", false), ("", false),
    ])
    func `DNS is available where a server is configured`(_ text: String, _ expected: Bool) {
        #expect(NetworkPath.namesServer(text) == expected)
    }

    #if os(Linux)
    @Test func `Linux reports nothing else`() async {
        let path = await Prober.shared.networkPath()
        #expect(path.isExpensive == nil && path.isConstrained == nil)
        #expect((path.supportsDNS != nil) == FileManager.default.isReadableFile(atPath: "/etc/resolv.conf"))
    }
    #endif
}
