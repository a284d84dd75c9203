import ReachDashboard
import ReachSystem

/// Reads and writes the files of the dashboard other than its settings, beside the loop, which a file system that does not
/// answer would block: the lines entered at prompts, pictures of the screen, and files about incidents.
final class DashboardFiles: Sendable {
    /// The lines of earlier runs, for one consumer.
    let recalledLines: AsyncStream<[EnteredLine]>
    /// What became of each picture, for the footer and one consumer.
    let reports: AsyncStream<String>
    private let report: AsyncStream<String>.Continuation
    private let line: AsyncStream<EnteredLine>.Continuation
    private let picture: AsyncStream<Picture>.Continuation
    private let writers: [Task<Void, Never>]

    /// A file: its name, and what makes its text, which may block.
    private typealias Picture = (text: @Sendable () throws -> String, name: String)

    /// The maximum number of pictures that wait to be written.
    private static let maxPictures = 4

    /// Starts to read the lines of earlier runs.
    ///
    /// - Parameters:
    ///   - file: The file of entered lines; nil if they are not saved.
    ///   - noticeDelay: The time until the footer says that a picture is not written yet.
    ///   - create: Writes a picture to a new file. May block. Returns the error message; nil on success.
    init(
        _ file: PromptHistoryFile?,
        noticeDelay: Duration = .seconds(2),
        create: @escaping @Sendable (_ path: String, _ text: String) -> String? = DashboardFiles.create
    ) {
        let (reports, report) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
        let (recalledLines, recalled) = AsyncStream.makeStream(of: [EnteredLine].self)
        let (lines, line) = AsyncStream.makeStream(
            of: EnteredLine.self,
            bufferingPolicy: .bufferingNewest(EnteredLine.capacity)
        )
        let (pictures, picture) = AsyncStream.makeStream(
            of: Picture.self,
            bufferingPolicy: .bufferingOldest(Self.maxPictures)
        )
        (self.reports, self.report, self.recalledLines, self.line, self.picture) = (
            reports, report, recalledLines, line, picture
        )
        let lineWriter = Task {
            let queue = BlockingQueue("prompts")
            if let file, let lines = await queue.run({ file.lines }) { recalled.yield(lines) }
            recalled.finish()
            for await line in lines { _ = await queue.run { file?.add(line) } }
        }
        let pictureWriter = Task {
            let queue = BlockingQueue("pictures")
            for await (text, name) in pictures {
                let notice = Task {
                    try await Task.sleep(for: noticeDelay)
                    report.yield("\(name) is not saved yet: the file system does not answer")
                }
                let problem = await queue.run {
                    do {
                        return create(name, try text())
                    } catch let error as StartupError {
                        return error.lines.joined(separator: "; ")
                    } catch {
                        return "\(error)"
                    }
                }
                notice.cancel()
                guard let problem else { return }
                report.yield(problem.map { "cannot save \(name): \($0)" } ?? "saved \(name)")
            }
        }
        writers = [lineWriter, pictureWriter]
    }

    /// Creates a file. One about an incident is private, as the history is.
    private static func create(_ path: String, _ text: String) -> String? {
        PictureFile.create(path, with: text, mode: path.hasSuffix(".svg") ? 0o644 : IncidentText.mode)
    }

    /// Adds an entered line to the file. While the file system does not answer, the newest lines wait.
    func add(_ line: EnteredLine) {
        self.line.yield(line)
    }

    /// Saves a picture in a new file, and reports the result.
    func save(_ svg: String, as name: String) {
        save(as: name) { svg }
    }

    /// Saves a text in a new file, and reports the result.
    ///
    /// - Parameter text: makes the text. May block.
    func save(as name: String, _ text: @escaping @Sendable () throws -> String) {
        guard case .dropped = picture.yield((text, name)) else { return }
        report.yield("cannot save \(name): the file system does not answer")
    }

    /// Waits until everything is written, for a limited time.
    func finish(within limit: Duration = .seconds(2)) async {
        line.finish()
        picture.finish()
        _ = await withTimeout(limit) { [writers] in
            for writer in writers {
                await withTaskCancellationHandler {
                    await writer.value
                } onCancel: {
                    writer.cancel()
                }
            }
        }
    }
}
