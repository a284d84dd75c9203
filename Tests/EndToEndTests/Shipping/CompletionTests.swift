import Foundation
import Testing

extension EndToEnd {
    /// The completions in the shells themselves.
    @Suite(.serialized, .enabled(if: Machine.canInstall, "make or strip is not installed")) struct CompletionTests {
        private let installation: Installation
        private let scratch: Scratch

        init() throws {
            installation = try Installation.shared.get()
            scratch = try Scratch()
            let settings = """
                [[target]]
                name = "Attic"
                url = "tcp://127.0.0.1:1"
                group = "Home"
                """
            try scratch.write(settings, to: "dashboard.toml")
        }

        /// An environment in which `reach` is the installed program.
        private var path: [String: String] {
            ["PATH": "\(installation.file("bin")):/usr/local/bin:/usr/bin:/bin"]
        }

        /// Runs a command, expects success without errors, and returns its lines.
        private func run(_ words: String...) throws -> [String] {
            try run(words)
        }

        private func run(_ words: [String]) throws -> [String] {
            let tool = try Tool.run(words, in: scratch.path, environment: path)
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            return tool.lines
        }

        /// Returns bash's completions of a line.
        ///
        /// - Parameters:
        ///   - words: The words into which bash splits the line.
        ///   - line: The line; the words with spaces between them if it is nil.
        ///   - replaced: The end of the line that a completion replaces; the last word if it is nil.
        private func bash(_ words: String..., line: String? = nil, replaced: String? = nil) throws -> [String] {
            let script = """
                source "$0"
                COMP_LINE=$1 replaced=$2; shift 2
                COMP_POINT=${#COMP_LINE} COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                __reach_line reach "$replaced" "${@: -2:1}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let file = installation.file("share/bash-completion/completions/reach")
            let ends = [line ?? words.joined(separator: " "), replaced ?? words.last ?? ""]
            let tool = try Tool.run(
                ["bash", "--norc", "-c", script, file] + ends + words,
                in: scratch.path,
                environment: path
            )
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            return tool.lines
        }

        @Test func `bash completes commands, options, their values, and targets of the settings`() throws {
            #expect(Set(try bash("reach", "w")) == ["watch", "wait"])
            #expect(try bash("reach", "watch", "--li") == ["--listen"])
            #expect(Set(try bash("reach", "dashboard", "--theme", "")).isSuperset(of: ["dark", "light"]))
            #expect(try bash("reach", "check", "--config", "d") == ["dashboard.toml"])
            #expect(try bash("reach", "check", "@") == ["@Attic", "@group:Home"])
            #expect(try bash("reach", "check", "\\@A") == ["@Attic"])
            let group = try bash("reach", "check", "@", "group", ":", "H", line: "reach check @group:H", replaced: "H")
            #expect(group == ["Home"])
            #expect(try bash("reach", "check", "@", "A", line: "reach check @A", replaced: "@A") == ["@Attic"])
            let groups = try bash("reach", "check", "@", "group", ":", line: "reach check @group:", replaced: "")
            #expect(groups == ["Home"])
            #expect(try bash("reach", "hooks", "--test", "A") == ["Attic"])
            #expect(try !bash("reach", "wait", "--").contains("--run"), "--run is internal")
        }

        @Test func `bash completes commands after help, and options and targets of the default command`() throws {
            let commands = try bash("reach", "help", "")
            #expect(Set(commands).isSuperset(of: ["dashboard", "watch", "help"]))
            #expect(commands.allSatisfy { !$0.hasPrefix("-") && !$0.contains("_") }, "\(commands)")
            #expect(Set(try bash("reach", "help", "wa")) == ["watch", "wait"])
            #expect(try bash("reach", "--theme", "gr") == ["gruvbox"])
            #expect(try bash("reach", "--asc") == ["--ascii"])
            #expect(try bash("reach", "192.0.2.1", "--asc") == ["--ascii"])
            #expect(try bash("reach", "@", "A", line: "reach @A", replaced: "@A") == ["@Attic"])
        }

        @Test(.enabled(if: Machine.hasZsh, "zsh is not installed"))
        func `zsh loads the completions of reach`() throws {
            let script = """
                fpath=($1 $fpath); autoload -Uz compinit; compinit -u -D
                autoload +X _reach; print -- ${_comps[reach]}; print -- ${+functions[_reach]}
                """
            let folder = installation.file("share/zsh/site-functions")
            #expect(try run("zsh", "-f", "-c", script, "zsh", folder) == ["_reach", "1"])
            #expect(try run("zsh", "-f", "-n", "\(folder)/_reach") == [])
            let text = try String(contentsOfFile: "\(folder)/_reach", encoding: .utf8)
            #expect(text.contains(#"completions=("${completions[@]//:/\\:}")"#), "a colon begins a description")
        }

        @Test(.enabled(if: Machine.hasZsh, "zsh is not installed"))
        func `zsh completes commands after help, and options of the default command`() throws {
            #expect(try zsh("reach", "help", "wa") == "2 reach wa")
            #expect(try zsh("reach", "help", "watch", "") == "4 reach help watch ")
            #expect(try zsh("reach", "--theme", "gr") == "4 reach dashboard --theme gr")
            #expect(try zsh("reach", "@A") == "3 reach dashboard @A")
            #expect(try zsh("reach", "192.0.2.1", "--asc") == "4 reach dashboard 192.0.2.1 --asc")
            #expect(try zsh("reach", "watch", "--li") == "3 reach watch --li")
        }

        /// Returns the number of the word that zsh completes, and the words that it completes a line as.
        private func zsh(_ words: String...) throws -> String? {
            let script = """
                fpath=($1 $fpath); autoload +X _reach; shift
                _arguments() { print -r -- "$CURRENT $words" }
                words=("$@") CURRENT=$#; _reach
                """
            let folder = installation.file("share/zsh/site-functions")
            return try run(["zsh", "-f", "-c", script, "zsh", folder] + words).first
        }

        @Test(.enabled(if: Machine.hasFish, "fish is not installed"))
        func `fish completes commands and options`() throws {
            let file = installation.file("share/fish/vendor_completions.d/reach.fish")
            #expect(try run("fish", "--no-config", "-c", "source $argv[1]", file) == [])
            #expect(try fish("reach w", file) == ["wait", "watch"])
            let options = try fish("reach wait --", file)
            #expect(options.contains("--within") && !options.contains("--run"))
            #expect(try fish("reach help wa", file) == ["wait", "watch"])
            #expect(try fish("reach help watch ", file) == [])
            #expect(try fish("reach --theme gr", file) == ["gruvbox"])
            #expect(try fish("reach --asc", file) == ["--ascii"])
            #expect(try fish("reach 192.0.2.1 --asc", file) == ["--ascii"])
        }

        /// Returns fish's completions of a line. Without a terminal, fish has no command line for target completion and
        /// reports that on standard error.
        private func fish(_ line: String, _ file: String) throws -> [String] {
            let words = ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", file, line]
            let tool = try Tool.run(words, in: scratch.path, environment: path)
            return tool.lines.map { String($0.prefix { $0 != "\t" }) }
        }
    }
}
