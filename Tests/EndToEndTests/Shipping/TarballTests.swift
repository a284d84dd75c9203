import Foundation
import Testing

extension EndToEnd {
    /// The tarball of `make dist`.
    @Suite(.serialized, .enabled(if: Machine.canInstall, "make or strip is not installed")) struct TarballTests {
        private let installation: Installation
        private let scratch: Scratch

        init() throws {
            installation = try Installation.shared.get()
            scratch = try Scratch()
        }

        /// Builds a tarball in a folder, with fast compression, and returns its path.
        private func build(in folder: String) throws -> String {
            try Tool.must(["mkdir", scratch.file(folder)])
            try Installation.make(
                "dist",
                out: installation.scratch.file("out"),
                "DIST=\(scratch.file(folder))",
                "COMPRESS=gzip -1n",
                "VERIFY="
            )
            let names = try Tool.must(["ls", scratch.file(folder)]).lines
            #expect(names.count == 2 && names.last == names.first.map { "\($0).sha256" }, "\(names)")
            return scratch.file("\(folder)/\(names[0])")
        }

        @Test(.timeLimit(.minutes(1)))
        func `the tarball has every installed file, its checksums are right, and it is reproducible`() throws {
            let tarball = try build(in: "one")
            let name = tarball.split(separator: "/").last.map { String($0.dropLast(".tar.gz".count)) } ?? ""
            #expect(name.wholeMatch(of: /reach-\d+\.\d+\.\d+-linux-\w+/) != nil, "\(name)")
            let entries = try Tool.must(["tar", "--list", "--verbose", "--numeric-owner", "-zf", tarball]).lines
            #expect(entries.allSatisfy { $0.contains(" 0/0 ") })
            let dates = Set(entries.map { $0.split(separator: " ").dropFirst(3).prefix(2).joined(separator: " ") })
            #expect(dates.count == 1)
            let paths = entries.compactMap { $0.split(separator: " ").last.map(String.init) }
            #expect(paths == paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            let files = Set(paths.filter { !$0.hasSuffix("/") }.map { String($0.dropFirst(name.count + 1)) })
            #expect(files == installation.files.union(["SHA256SUMS"]))

            try Tool.must(["tar", "-C", scratch.path, "-xzf", tarball])
            try Tool.must(["sha256sum", "--check", "--strict", "SHA256SUMS"], in: scratch.file(name))
            #expect(scratch.lines(of: "\(name)/SHA256SUMS").count == installation.files.count)
            try Tool.must(["sha256sum", "--check", "\(name).tar.gz.sha256"], in: scratch.file("one"))
            let unit = scratch.text(of: "\(name)/lib/systemd/system/reach.service")
            #expect(unit.contains("\nExecStart=/usr/local/bin/reach watch "))
            let version = try Tool.must([scratch.file("\(name)/bin/reach"), "--version"]).output
            #expect(version.hasPrefix("reach "))

            let other = try build(in: "two")
            try Tool.must(["cmp", tarball, other])
        }
    }
}
