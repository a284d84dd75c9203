import Monitoring
import Testing

@testable import Dashboard

/// The texts of failures and faults, by the width that they have.
@Suite struct CauseTextTests {
    @Test(arguments: [
        (Reason.httpStatus, "HTTP 503 Service Unavailable", 30, "HTTP 503 Service Unavailable"),
        (.httpStatus, "HTTP 503 Service Unavailable", 8, "HTTP 503"),
        (.httpStatus, "HTTP 503 Service Unavailable", 5, "503"),
        (.certificateUntrusted, "self-signed", 11, "self-signed"),
        (.certificateUntrusted, "self-signed", 10, "bad cert"),
        (.refused, "refused", 4, "refused"),
        (.exitStatus, "exit 2", 4, "exit 2"),
    ])
    func `a cause has its longest form that fits`(reason: Reason, detail: String, width: Int, expected: String) {
        #expect(Failure(reason, detail: detail).text(fitting: width) == expected)
    }

    @Test func `a fault has the words of the banner, or the name of the problem`() {
        let fault = Fault(.noAuthorities, detail: "cannot read missing.pem")
        #expect(fault.text(fitting: 23) == "cannot read missing.pem")
        #expect(fault.text(fitting: 22) == "no authorities")
        #expect(fault.text(fitting: 6) == "no CA")
    }
}
