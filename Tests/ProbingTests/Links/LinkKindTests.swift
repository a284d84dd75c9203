import Testing

@testable import Probing

struct LinkKindTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var files: [String: String] = [:]
        let kind: LinkKind?
        var testDescription: String { "\(name) \(files.keys.sorted())" }
    }

    @Test(arguments: [
        Case(name: "eth0", files: ["type": "1\n", "uevent": "INTERFACE=eth0\nIFINDEX=2\n"], kind: .wired),
        Case(name: "wlp2s0", files: ["type": "1\n", "uevent": "DEVTYPE=wlan\n"], kind: .wifi),
        Case(name: "wlan0", files: ["type": "1\n", "wireless": ""], kind: .wifi),
        Case(name: "mesh", files: ["type": "1\n", "phy80211": ""], kind: .wifi),
        Case(name: "wwan0", files: ["type": "1\n", "uevent": "DEVTYPE=wwan\n"], kind: .cellular),
        Case(name: "wwan0", files: ["type": "65534\n", "tun_flags": "0x1"], kind: .cellular),
        Case(name: "usb0", files: ["type": "65534\n", "uevent": "DEVTYPE=wwan\nINTERFACE=usb0\n"], kind: .cellular),
        Case(name: "office", files: ["type": "65534\n", "uevent": "DEVTYPE=wireguard\n"], kind: .vpn),
        Case(name: "tap0", files: ["type": "1\n", "tun_flags": "0x1002\n"], kind: .vpn),
        Case(name: "ppp0", files: ["type": "512\n"], kind: .vpn),
        Case(name: "any", files: ["type": "772\n"], kind: .loopback),
        Case(name: "tun0", kind: .vpn),
        Case(name: "pdp_ip0", kind: .cellular),
        Case(name: "lo0", kind: .loopback),
        Case(name: "x0", kind: nil),
    ])
    func `the kind is that of the system, or else derived from the name`(_ one: Case) {
        let interface = Interface(name: one.name, isUp: true, isRunning: true)
        #expect(LinkKind(of: interface, read: { one.files[$0] }) == one.kind)
    }
}
