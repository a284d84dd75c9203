import Monitoring
import Testing

@testable import Dashboard

struct AddLineTests {
    @Test(
        arguments: [
            ("", .empty), ("  ", .empty), (" nas:445 ", .target([.url: "nas:445"])),
            ("nas:445  The NAS", .target([.url: "nas:445", .name: "The NAS"])),
            ("${HOST}:445 NAS", .target([.url: "${HOST}:445", .name: "NAS"])),
            ("8", .invalid("8 is a number, not a host – a port is HOST:8, such as 127.0.0.1:8")),
            ("nas:smb", .invalid("invalid port \"smb\" – a number from 1 to 65535")),
        ] as [(String, AddLine)]
    )
    func `a line is a URL and a name, or its problem`(text: String, line: AddLine) {
        #expect(AddLine(text) == line)
    }
}
