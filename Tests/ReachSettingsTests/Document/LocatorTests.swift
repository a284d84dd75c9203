import Testing

@testable import ReachSettings

struct LocatorTests {
    @Test func `keys are found before and after headers`() {
        let text = """
            top = 1 # comment = 2
            [ one . "two three" ]
              key   = "x"
            [one]
            a.b = 'y'
            """
        #expect(entry("top", in: text) == EntryLocation(key: at(1, 1), value: at(1, 7)))
        #expect(entry("one", in: text) == EntryLocation(key: at(2, 3), value: at(2, 3)))
        #expect(entry("one", "two three", in: text) == EntryLocation(key: at(2, 9), value: at(2, 9)))
        #expect(entry("one", "two three", "key", in: text) == EntryLocation(key: at(3, 3), value: at(3, 11)))
        #expect(entry("one", "a", "b", in: text) == EntryLocation(key: at(5, 3), value: at(5, 7)))
    }

    @Test func `elements of nested arrays of tables are counted`() {
        let text = """
            [[target]]
            [[target.hooks]]
            run = 1
            [[target.hooks]]
            run = 2
            [target.tcp]
            send = 3
            [[target]]
            [[target.hooks]]
            run = 4
            """
        #expect(entry("target", 0, in: text)?.key == at(1, 3))
        #expect(entry("target", 0, "hooks", 0, "run", in: text)?.value == at(3, 7))
        #expect(entry("target", 0, "hooks", 1, "run", in: text)?.value == at(5, 7))
        #expect(entry("target", 0, "tcp", "send", in: text)?.value == at(7, 8))
        #expect(entry("target", 1, "hooks", 0, "run", in: text)?.value == at(10, 7))
        #expect(entry("target", 1, "hooks", 1, in: text) == nil)
    }

    @Test func `inline tables and arrays are followed across lines`() {
        let text = """
            icmp = { size = 56, "t,t}l" = { a.b = [ 1, { c = 2 } ] } }
            run = [
              "a", # a comment, with ] and "
              'b]',
            ]
            after = true
            """
        #expect(entry("icmp", "size", in: text) == EntryLocation(key: at(1, 10), value: at(1, 17)))
        #expect(entry("icmp", "t,t}l", "a", "b", 1, "c", in: text)?.value == at(1, 50))
        #expect(entry("run", 0, in: text)?.value == at(3, 3))
        #expect(entry("run", 1, in: text)?.value == at(4, 3))
        #expect(entry("after", in: text)?.value == at(6, 9))
    }

    @Test func `strings are not mistaken for keys, tables or comments`() {
        let text = #"""
            one = """
            [table]
            key = "x" ""
            \""" # still text
            """""
            two = '''
            [[table]]
            '''
            three = "\"[# \\"
            four = ''
            five = 'c:\'
            six = ""
            seven = 7
            """#
        #expect(entry("table", in: text) == nil)
        #expect(entry("key", in: text) == nil)
        #expect(entry("two", in: text)?.key == at(6, 1))
        #expect(entry("four", in: text)?.value == at(10, 8))
        #expect(entry("seven", in: text)?.value == at(13, 9))
    }

    @Test func `quoted keys are unescaped, and columns count scalars`() {
        let text = #""gr\u00FCn\t" = "äöü""#
        #expect(entry("grün\t", in: text)?.value == at(1, 17))
        #expect(entry("a.b", in: #"  'a.b' = 2"#)?.key == at(1, 3))
        #expect(entry("é", in: "x = { ä = 'ö', 'é' = 1 }")?.key == nil)
        #expect(entry("x", "é", in: "x = { ä = 'ö', 'é' = 1 }")?.key == at(1, 16))
    }

    @Test func `an escaped NUL is found, except in single quotes`() {
        #expect(Locator(#"a = "x\u0000""#).nulls == [at(1, 5)])
        #expect(Locator(#"a = "x\U00000000""#).nulls == [at(1, 5)])
        #expect(Locator(#""k\u0000" = 1"#).nulls == [at(1, 1)])
        #expect(Locator(#"a = 'x\u0000'"#).nulls == [])
        #expect(Locator(#"a = "x\\u0000""#).nulls == [])
    }

    @Test(arguments: [
        "", "[", "]", "[[", "=", "a", "a =", "a = [", "a = {", "a = \"", "a = '''", "a.", ".", ",", "}", "[a", "[[a]",
        "\"", "a = [,]", "a = {=}", "a = {,,}", "a = [[[[", "\u{FEFF}", "\\", "a = \"\\u\"", "a = \"\\", "é = 1",
        "a = [}]", "a = {]}", "[].x = 1", "a = 1 2 3\n= =", "\r\r", "{a}", "a = {b", "a = {b = [}",
    ])
    func `the locator terminates for invalid TOML`(text: String) {
        _ = Locator(text)
    }

    private func entry(_ components: any Sendable..., in text: String) -> EntryLocation? {
        let path = components.reduce(SettingsPath()) { path, component in
            switch component {
            case let index as Int: path.appending(index)
            case let key as String: path.appending(key)
            default: path
            }
        }
        return Locator(text).entries[path]
    }

    private func at(_ line: Int, _ column: Int) -> Location {
        Location(line: line, column: column)
    }
}
