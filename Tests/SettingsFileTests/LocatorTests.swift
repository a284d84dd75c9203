import Testing

@testable import SettingsFile

struct LocatorTests {
    @Test func `pairs below headers and above them are found`() {
        let text = """
            top = 1 # comment = 2
            [ one . "two three" ]
              key   = "x"
            [one]
            a.b = 'y'
            """
        #expect(place("top", in: text) == Place(key: at(1, 1), value: at(1, 7)))
        #expect(place("one", in: text) == Place(key: at(2, 3), value: at(2, 3)))
        #expect(place("one", "two three", in: text) == Place(key: at(2, 9), value: at(2, 9)))
        #expect(place("one", "two three", "key", in: text) == Place(key: at(3, 3), value: at(3, 11)))
        #expect(place("one", "a", "b", in: text) == Place(key: at(5, 3), value: at(5, 7)))
    }

    @Test func `arrays of tables are counted, each below the last element around it`() {
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
        #expect(place("target", 0, in: text)?.key == at(1, 3))
        #expect(place("target", 0, "hooks", 0, "run", in: text)?.value == at(3, 7))
        #expect(place("target", 0, "hooks", 1, "run", in: text)?.value == at(5, 7))
        #expect(place("target", 0, "tcp", "send", in: text)?.value == at(7, 8))
        #expect(place("target", 1, "hooks", 0, "run", in: text)?.value == at(10, 7))
        #expect(place("target", 1, "hooks", 1, in: text) == nil)
    }

    @Test func `inline tables and arrays are followed, over several lines too`() {
        let text = """
            icmp = { size = 56, "t,t}l" = { a.b = [ 1, { c = 2 } ] } }
            run = [
              "a", # a comment, with ] and "
              'b]',
            ]
            after = true
            """
        #expect(place("icmp", "size", in: text) == Place(key: at(1, 10), value: at(1, 17)))
        #expect(place("icmp", "t,t}l", "a", "b", 1, "c", in: text)?.value == at(1, 50))
        #expect(place("run", 0, in: text)?.value == at(3, 3))
        #expect(place("run", 1, in: text)?.value == at(4, 3))
        #expect(place("after", in: text)?.value == at(6, 9))
    }

    @Test func `text in strings is not mistaken for keys, tables or comments`() {
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
        #expect(place("table", in: text) == nil)
        #expect(place("key", in: text) == nil)
        #expect(place("two", in: text)?.key == at(6, 1))
        #expect(place("four", in: text)?.value == at(10, 8))
        #expect(place("seven", in: text)?.value == at(13, 9))
    }

    @Test func `quoted keys are read with their escapes, and columns count scalars`() {
        let text = #""gr\u00FCn\t" = "äöü""#
        #expect(place("grün\t", in: text)?.value == at(1, 17))
        #expect(place("a.b", in: #"  'a.b' = 2"#)?.key == at(1, 3))
        #expect(place("é", in: "x = { ä = 'ö', 'é' = 1 }")?.key == nil)
        #expect(place("x", "é", in: "x = { ä = 'ö', 'é' = 1 }")?.key == at(1, 16))
    }

    @Test func `an escaped NUL is found, and one between single quotes is none`() {
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
    func `a text that is no TOML comes to an end`(text: String) {
        _ = Locator(text)
    }

    private func place(_ steps: any Sendable..., in text: String) -> Place? {
        let path = steps.reduce(SettingsPath()) { path, step in
            switch step {
            case let index as Int: path.appending(index)
            case let key as String: path.appending(key)
            default: path
            }
        }
        return Locator(text).places[path]
    }

    private func at(_ line: Int, _ column: Int) -> Location {
        Location(line: line, column: column)
    }
}
