import Foundation
import ReachMonitoring
import ReachSystem
import Testing

@testable import reach

@Suite struct JournalPriorityTests {
    @Test func `standard error is the journal if JOURNAL_STREAM has its device and inode`() throws {
        let path = "/tmp/reach-journal-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        try Data().write(to: URL(filePath: path))
        defer { unlink(path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let file = try #require(FileNumber(of: descriptor))
        #expect(FileNumber(at: path) == file && FileNumber(at: "\(path)-2") == nil && FileNumber(of: -1) == nil)
        let isJournal = { (stream: String?) in
            JournalPriority.isJournal(descriptor, environment: stream.map { ["JOURNAL_STREAM": $0] } ?? [:])
        }
        #expect(isJournal("\(file.device):\(file.inode)"))
        for other in [nil, "", "\(file.device):\(file.inode + 1)", "\(file.device + 1):\(file.inode)", "\(file.inode)"]
        {
            #expect(!isJournal(other), "\(other ?? "unset")")
        }
    }

    @Test func `an outage is a warning in the journal, and its end a notice`() {
        let priority = { (health: Health) in
            JournalPriority(Transition(from: .up, to: health, time: .zero, lasted: .zero, cause: .replies(1)))
        }
        #expect(priority(.down) == .warning && priority(.unknown) == .warning)
        #expect(priority(.up) == .notice && priority(.degraded) == .notice)
    }

    @Test func `each line has the prefix of its priority`() {
        #expect(JournalPriority.error.prefixing("one\ntwo") == "<3>one\n<3>two")
        #expect(JournalPriority.debug.prefixing("") == "<7>")
        #expect(JournalPriority.notice.prefixed("one") == "one", "the tests do not write to the journal")
    }
}
