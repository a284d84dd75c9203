import Foundation
import Testing

/// The sentences of events, which the screen, `watch`, its log and the history show.
struct SentenceTests {
    /// The lines of all sources without comments.
    private static let lines: [Substring] = {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let sources = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
        return sources.flatMap { source in
            (try? String(contentsOf: source, encoding: .utf8))?.split(separator: "\n").filter {
                !$0.drop(while: \.isWhitespace).hasPrefix("//")
            } ?? []
        }
    }()

    @Test(
        arguments: [
            "\"can be probed again\"", "\"no longer blocked\"", "\"stable again\"", "\"maintenance ended\"",
            "\"keeps the schedule again\"", "\"answers again\"", "cannot be probed: \\(", "the old ones keep running\"",
            "has another address: ", " is armed\"", "changes too often: its reports wait until it is stable",
            "probes of that time are ignored",
            "\"has no hooks\"", "\"did not run\"", "\"is not retried\"", "is retried in \\(",
            "cannot keep the schedule: ",
            "\"acknowledged\\(", "\"acknowledgement removed\"", "\"acknowledgement ended after ", "\"blocked by \\(",
            "\"blocked: no uplink\"", "\"session waiting: no route\"", "\"session failed: ", "\"down after \\(",
            "\"added to the settings\"", "\"removed from the settings\"", "\"the clock was set by ", "\"exited \\(",
            "\"was killed by signal ", "\"timed out after ", "\"was cancelled after ", "was down when last seen",
            "\" after \\($0.outageText)\"", "timeout, answers after ",
        ]
    )
    func `a sentence stands in one place of the sources`(sentence: String) {
        #expect(Self.lines.count { $0.contains(sentence) } == 1)
    }
}
