import Dispatch
import Foundation
import ReachDashboard
import Synchronization
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct DashboardFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)").path

    private var promptHistory: PromptHistoryFile? { PromptHistoryFile(environment: ["XDG_STATE_HOME": folder]) }

    private func line(_ text: String) throws -> EnteredLine { try #require(EnteredLine(.command, text)) }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    @Test func `lines are in the file at the end, and read in the next run`() async throws {
        let files = DashboardFiles(promptHistory)
        for text in ["a", "b", "a"] { files.add(try line(text)) }
        await files.finish(within: .seconds(30))
        for await lines in DashboardFiles(promptHistory).recalledLines {
            #expect(lines == [try line("b"), try line("a")])
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a picture is saved in a new file`() async throws {
        let files = DashboardFiles(nil)
        let path = "\(folder)/a.svg"
        for _ in 0..<2 { files.save("<svg/>", as: path) }
        await files.finish(within: .seconds(30))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "<svg/>")
        let reports = await files.reports.prefix(2).reduce(into: []) { $0.append($1) }
        #expect(reports == ["saved \(path)", "cannot save \(path): File exists"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a file system that does not answer is reported, and blocks nothing`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let files = DashboardFiles(nil, noticeDelay: .milliseconds(1)) { _, _ in
            gate.wait()
            return nil
        }
        var reports = files.reports.makeAsyncIterator()
        files.save("", as: "0")
        #expect(await reports.next() == "0 is not saved yet: the file system does not answer")
        for number in 1...5 { files.save("", as: "\(number)") }
        #expect(await reports.next() == "cannot save 5: the file system does not answer")
        await files.finish(within: .milliseconds(1))
        gate.signal()
        try FileManager.default.removeItem(atPath: folder)
    }
}
