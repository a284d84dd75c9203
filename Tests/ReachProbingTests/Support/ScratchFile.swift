import ReachSystem

/// A temporary file for one test.
struct ScratchFile {
    struct NotWritten: Error {}

    let path = "/tmp/reach-test-\(UInt64.random(in: .min ... .max))"

    init(_ text: String) throws {
        try write(text)
    }

    func write(_ text: String) throws {
        guard let file = fopen(path, "w") else { throw NotWritten() }
        fputs(text, file)
        fclose(file)
    }

    func remove() {
        unlink(path)
    }
}
