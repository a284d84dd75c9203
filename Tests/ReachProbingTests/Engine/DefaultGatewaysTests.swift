import ReachSystem
import Testing

@testable import ReachProbing

struct DefaultGatewaysTests {
    /// Two default routes with metrics 600 and 100, one that is down, and the route of a network.
    private let ipv4 = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        wlan0\t00000000\t\(hex(192, 0, 2, 254))\t0003\t0\t0\t600\t00000000\t0\t0\t0
        eth1\t00000000\t\(hex(192, 0, 2, 9))\t0002\t0\t0\t1\t00000000\t0\t0\t0
        eth0\t00000000\t\(hex(192, 0, 2, 1))\t0003\t0\t0\t100\t00000000\t0\t0\t0
        eth0\t\(hex(192, 0, 2, 0))\t00000000\t0001\t0\t0\t0\t\(hex(255, 255, 255, 0))\t0\t0\t0
        """
    private let ipv6 = """
        fd000000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
        00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000003 00000000 00000003     eth0
        00000000000000000000000000000000 00 00000000000000000000000000000000 00 20010db8000000000000000000000001 00000401 00000003 00000000 00000003     eth1
        00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
        """

    /// The bytes of an address as the kernel writes them: a number in the byte order of the machine.
    private static func hex(_ bytes: UInt8...) -> String {
        let number = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    @Test func `the gateway with the lowest metric is the preferred one`() {
        let gateways = DefaultGateways(ipv4: ipv4, ipv6: ipv6) { $0 == "eth0" ? 7 : 9 }
        let linkLocal = IPAddress(ipv6: 0xFE80_0000_0000_0000, 1, scope: 7)
        #expect(gateways.addresses == [IPAddress(literal: "192.0.2.1"), linkLocal].compactMap(\.self))
    }

    @Test(arguments: ["", "Iface\tDestination\n", "a b c d e f g h i j k\n", "00 00 zz\n\n\u{0}"])
    func `a table without a default route has no gateway`(text: String) {
        #expect(DefaultGateways(ipv4: text, ipv6: text) { _ in 1 }.addresses == [])
    }

    @Test func `a route through an interface alone has no gateway`() {
        let pointToPoint = "ppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n"
        #expect(DefaultGateways(ipv4: pointToPoint, ipv6: "") { _ in 1 }.addresses == [])
    }
}
