import Foundation
import Testing

extension EndToEnd {
    /// `make install`, the manual page and the Debian package.
    @Suite(.serialized, .enabled(if: Machine.canInstall, "make or strip is not installed")) struct InstallTests {
        private let installation: Installation

        init() throws {
            installation = try Installation.shared.get()
        }

        @Test func `every file is installed where the shells, man and systemd look for it`() throws {
            #expect(
                installation.files == [
                    "bin/reach", "lib/systemd/system/reach.service",
                    "share/bash-completion/completions/reach",
                    "share/doc/reach/LICENSE", "share/doc/reach/THIRD-PARTY-NOTICES",
                    "share/doc/reach/examples/dashboard.toml", "share/doc/reach/examples/grafana-dashboard.json",
                    "share/doc/reach/examples/prometheus.yml", "share/doc/reach/examples/reach-alerts.yml",
                    "share/doc/reach/examples/reach-recording-rules.yml",
                    "share/fish/vendor_completions.d/reach.fish", "share/man/man1/reach.1",
                    "share/reach/schemas/dashboard.schema.json", "share/reach/schemas/events.schema.json",
                    "share/reach/schemas/hook-input.schema.json", "share/reach/schemas/log.schema.json",
                    "share/reach/schemas/report.schema.json",
                    "share/reach/schemas/targets.schema.json", "share/reach/schemas/validation.schema.json",
                    "share/zsh/site-functions/_reach",
                ]
            )
            let unit = try installation.text(of: "lib/systemd/system/reach.service")
            #expect(unit.contains("\nExecStart=/opt/reach/bin/reach watch ") && !unit.contains("/usr/bin/reach"))
            #expect(unit.contains("\nDocumentation=man:reach(1)\n"))
            let version = try Tool.must([installation.file("bin/reach"), "--version"])
            #expect(version.output.hasPrefix("reach "))
        }

        @Test func `uninstall removes every file`() throws {
            let scratch = try Scratch()
            try Tool.must(["cp", "-R", installation.root, scratch.file("root")])
            let words = ["DESTDIR=\(scratch.file("root"))", "PREFIX=/opt/reach"]
            try Installation.make("uninstall", out: installation.scratch.file("out"), words[0], words[1])
            #expect(try Tool.must(["find", scratch.file("root"), "-type", "f"]).lines == [])
            #expect(try Tool.must(["find", scratch.file("root"), "-name", "*reach*", "-path", "*/doc/*"]).lines == [])
        }

        @Test(.enabled(if: Machine.hasMan, "man is not installed"))
        func `man prints the page without warnings`() throws {
            let page = installation.file("share/man/man1/reach.1")
            let words = ["man", "--warnings", "-E", "UTF-8", "-l", page]
            let tool = try Tool.run(words, in: installation.root, environment: ["MANWIDTH": "80"])
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            for words in ["-- command ...", "--listen", "128+n", "REACH_DOWN_SECONDS", "dashboard.toml", "PgDn, ^D"] {
                #expect(tool.output.contains(words), "\(words)")
            }
            #expect(!tool.output.contains("--run"))
        }

        @Test(.enabled(if: Machine.hasMandoc, "mandoc is not installed"))
        func `mandoc accepts the page, apart from this machine's outdated database`() throws {
            let page = installation.file("share/man/man1/reach.1")
            let tool = try Tool.run(["mandoc", "-T", "lint", "-W", "warning", page], in: installation.root)
            #expect(tool.lines.filter { !$0.contains("outdated mandoc.db") } == [])
        }

        @Test(.enabled(if: Machine.hasDebianTools, "dpkg-dev or lintian is not installed"), .timeLimit(.minutes(1)))
        func `lintian accepts the Debian package, apart from errors of a debug build`() throws {
            let scratch = try Scratch()
            // No package provides Swift's libraries, which a release build links statically.
            let libraries = "SHLIBDEPS=--ignore-missing-info -l\(Self.libraries)"
            // Fast compression, since the package's size is not tested.
            try Installation.make(
                "deb",
                out: installation.scratch.file("out"),
                libraries,
                "DEB=\(scratch.path)",
                "PACK=-Zgzip -z1",
                "VERIFY="
            )
            let package = try #require(try Tool.must(["find", scratch.path, "-name", "*.deb"]).lines.first)
            let tool = try Tool.run(
                ["lintian", "--allow-root", "--no-tag-display-limit", package],
                in: scratch.path,
                within: .seconds(40)
            )
            let expected = ["custom-library-search-path"]
            #expect(tool.lines.filter { line in !expected.contains { line.contains(" \($0) ") } } == [])
            let fields = try Tool.must(["dpkg-deb", "-f", package, "Package", "Depends"]).output
            #expect(fields.contains("Package: reach\n") && fields.contains("libc6 (>= "))
            let control = try Tool.must(["dpkg-deb", "--ctrl-tarfile", package])
            #expect(control.status == 0)
            let files = try Tool.must(["dpkg-deb", "-I", package, "conffiles"]).lines
            #expect(files == ["/etc/logrotate.d/reach", "/etc/reach/dashboard.toml"])
            try Tool.must(["dpkg-deb", "-x", package, scratch.file("root")])
            let settings = scratch.text(of: "root/etc/reach/dashboard.toml").split(separator: "\n")
            #expect(
                !settings.isEmpty && settings.allSatisfy { $0.hasPrefix("#") },
                "the service probes nothing at first"
            )
        }

        @Test(.enabled(if: Machine.hasLogrotate, "logrotate is not installed"))
        func `logrotate renames the log of the service and reloads the service`() throws {
            let scratch = try Scratch()
            let folder = URL(filePath: #filePath).appending(path: "../../../../Packaging/debian/logrotate").standardized
            let text = try String(contentsOf: folder, encoding: .utf8)
            #expect(text.contains("/var/log/reach/*.log {") && text.contains("systemctl reload reach.service"))
            let rules = text.replacing("/var/log/reach/", with: "\(scratch.path)/")
                .replacing("systemctl reload reach.service", with: "touch \(scratch.file("reloaded"))")
            let path = try scratch.write("su root root\n\(rules)", to: "rules", mode: 0o644)
            try scratch.write("entry\n", to: "reach.log")
            let words = ["logrotate", "--force", "--state", scratch.file("state"), path]
            let tool = try Tool.run(words, in: scratch.path)
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            #expect(scratch.text(of: "reach.log.1") == "entry\n")
            let isThere = { FileManager.default.fileExists(atPath: scratch.file($0)) }
            #expect(isThere("reloaded") && !isThere("reach.log"), "reach itself makes the new file")
        }

        @Test(.timeLimit(.minutes(1))) func `every command of the program passes the smoke test`() throws {
            let script = URL(filePath: #filePath).appending(path: "../../../../Scripts/smoke").standardized.path
            let tool = try Tool.run([script, Program.path], in: "/tmp", within: .seconds(45))
            #expect(tool.status == 0, "\(tool.errors)")
            #expect(tool.lines == ["\(Program.path): ok"])
        }

        @Test(.enabled(if: Machine.hasReadelf, "readelf is not installed"))
        func `a program with paths of this machine or without a protection is not packaged`() throws {
            let script = URL(filePath: #filePath).appending(path: "../../../../Scripts/hardening").standardized.path
            let debug = try Tool.run([script, Program.path], in: "/tmp", within: .seconds(30))
            #expect(debug.status == 1)
            for problem in ["symbols are bound late", "looks for libraries in", "paths of this machine, such as /"] {
                #expect(debug.errors.contains(problem), "\(debug.errors)")
            }
            #expect(throws: TestFailure.self) {
                try Installation.make("deb", out: installation.scratch.file("out"), "DEB=/nonexistent")
            }
            guard Machine.isDebian else { return }
            let shell = try Tool.run([script, "/bin/bash"], in: "/tmp")
            #expect(shell.status == 0 && shell.errors == "", "Debian's programs have all: \(shell.errors)")
        }

        @Test(.enabled(if: Machine.hasPython, "python3 is not installed"))
        func `the notices have the licence of every linked package`() throws {
            let folder = URL(filePath: #filePath).appending(path: "../../../..").standardized.path
            let tool = try Tool.run(["Scripts/notices", "--check"], in: folder)
            #expect(tool.status == 0, "\(tool.errors)")
        }

        /// The folder of the Swift libraries that the tested program is linked with.
        private static let libraries: String = {
            let words = ["sh", "-c", "ldd \(Program.path) | sed -n 's|.* => \\(.*\\)/libswiftCore.so .*|\\1|p'"]
            return (try? Tool.run(words, in: "/tmp").lines.first) ?? "/usr/lib"
        }()
    }
}

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

/// The files of `make install` in a temporary folder, with the tested program.
final class Installation: Sendable {
    /// Created once, since the program is large.
    static let shared = Result { try Installation() }

    let scratch: Scratch
    /// The folder used as the file system's root.
    let root: String

    /// The folder of the sources.
    static let sources = URL(filePath: #filePath).appending(path: "../../../..").standardized.path

    private init() throws {
        scratch = try Scratch()
        root = scratch.file("root")
        try Self.make("install", out: scratch.file("out"), "DESTDIR=\(root)", "PREFIX=/opt/reach")
    }

    /// Runs a make target.
    @discardableResult
    static func make(_ target: String, out: String, _ words: String...) throws -> Tool {
        let words = ["make", "-s", "-C", sources, target, "BINARY=\(Program.path)", "OUT=\(out)"] + words
        let names = ["DEBFULLNAME": "Example", "DEBEMAIL": "somebody@debian.org"]
        let tool = try Tool.run(words, in: "/tmp", environment: names, within: .seconds(45))
        guard tool.status == 0 else { throw TestFailure(description: "make \(target): \(tool.errors)") }
        return tool
    }

    /// The path of an installed file.
    func file(_ path: String) -> String {
        "\(root)/opt/reach/\(path)"
    }

    /// The text of an installed file.
    func text(of path: String) throws -> String {
        try String(contentsOfFile: file(path), encoding: .utf8)
    }

    /// The paths of the installed files, relative to the prefix.
    var files: Set<String> {
        let all = FileManager.default.enumerator(atPath: file(""))?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return Set(
            all.filter {
                FileManager.default.fileExists(atPath: file($0), isDirectory: &isFolder) && !isFolder.boolValue
            }
        )
    }
}
