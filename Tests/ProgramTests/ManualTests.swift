import ArgumentParser
import ReachDashboard
import ReachMonitoring
import Testing

@testable import reach

/// The manual page and the shell completions.
struct ManualTests {
    private func page() throws -> String {
        try ManualPage().lines.joined(separator: "\n")
    }

    @Test func `the page has every command, option, key, method and hook field`() throws {
        let page = try page()
        for command in Reach.configuration.subcommands where command.configuration.shouldDisplay {
            let name = try #require(command.configuration.commandName)
            #expect(page.contains("\n.Ss \(name)\n"), "\(name)")
            for argument in try CommandOutline.of(command).arguments ?? [] where argument.shouldDisplay {
                for option in argument.names ?? [] {
                    #expect(
                        page.contains("Fl \(Mdoc.text(String(option.spelling.dropFirst())))"),
                        "\(name) \(option.spelling)"
                    )
                }
            }
        }
        for binding in KeyTable.bindings {
            #expect(page.contains(Mdoc.text(String(binding.help.dropFirst())).prefix(20)))
        }
        for method in Method.settable { #expect(page.contains("Ar \\&\(method.rawValue):"), "\(method)") }
        for field in Webhook.fields { #expect(page.contains(".Ev \(field) ")) }
    }

    @Test func `the page of wait has two dashes instead of the hidden option`() throws {
        #expect(try page().contains(".Op Fl \\- Ar command ..."))
        #expect(try page().contains("\\-run\n") == false)
        #expect(!WaitCommand.helpMessage().contains("--run"))
    }

    @Test func `the page is ASCII, and text is never a macro`() throws {
        #expect(try page().utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(try page().contains("\n.Os\n"), "the system is that of the reader")
        #expect(Mdoc.text(".Sh a\\b – ↑ é -x") == "\\&.Sh a\\eb \\(en \\(ua \\[u00E9] \\-x")
        #expect(Mdoc.text("'quoted'") == "\\(aqquoted\\(aq")
        #expect(Mdoc.argument("Sh a\"") == "\\&Sh\\ a\\(dq\\&")
    }

    @Test func `paragraphs have one sentence per line, and lines are wrapped`() {
        #expect(Mdoc.paragraph("One. Two\nthree? .x") == ["One.", "Two three?", "\\&.x"])
        let lines = Mdoc.paragraph(String(repeating: "word ", count: 40))
        #expect(lines.count == 3 && lines.allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func `targets are not completed after two dashes`() {
        #expect(TargetCompletion.targetArguments(["reach", "wait", "@A", "--", ""], index: 4, prefix: "") == [])
    }

    @Test func `missing settings give no completions`() {
        let words = ["reach", "check", "--config", "/nowhere/dashboard.toml", "@"]
        #expect(TargetCompletion.targetArguments(words, index: 4, prefix: "@") == [])
    }
}
