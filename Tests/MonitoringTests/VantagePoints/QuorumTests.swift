import Testing

@testable import Monitoring

/// The rule of how many vantage points must agree.
@Suite struct QuorumTests {
    @Test(arguments: [
        (Quorum.majority, [nil, 1, 2, 2, 3, 3, 4]),
        (.all, [nil, 1, 2, 3, 4, 5, 6]),
        (.any, [nil, 1, 1, 1, 1, 1, 1]),
        (.count(1), [nil, 1, 1, 1, 1, 1, 1]),
        (.count(3), [nil, nil, nil, 3, 3, 3, 3]),
    ])
    func `the number needed follows from the number that report`(quorum: Quorum, needed: [Int?]) {
        for (voters, expected) in needed.enumerated() { #expect(quorum.needed(of: voters) == expected, "\(voters)") }
    }

    @Test func `a quorum is written as it is read`() {
        for text in ["majority", "all", "any", "1", "2", "128"] { #expect(Quorum(text)?.settingsText == text) }
        for text in ["", "0", "-1", "129", "1.5", "most", "Majority", " 2"] { #expect(Quorum(text) == nil, "\(text)") }
    }
}
