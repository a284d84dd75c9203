import Monitoring
import Testing

@testable import Probing

struct AddressBookTests {
    private let one = IPAddress(literal: "192.0.2.1")
    private let two = IPAddress(literal: "192.0.2.2")

    /// A book that knows `nas` at time zero.
    private func book(_ addresses: [IPAddress]) -> AddressBook {
        var book = AddressBook()
        _ = book.ask("nas", at: .zero)
        _ = book.record(.addresses(addresses), of: "nas", at: .zero)
        return book
    }

    @Test func `a name is looked up once, however many ask`() throws {
        var book = AddressBook()
        let one = try #require(one)
        #expect(book.ask("nas", at: .zero) == (.awaited, true))
        #expect(book.ask("nas", at: .seconds(100)) == (.awaited, false))
        #expect(book.record(.addresses([one]), of: "nas", at: .seconds(100)) == nil)
        #expect(book.ask("nas", at: .seconds(100)) == (.address(one), false))
    }

    @Test func `the old address stays in use while it is refreshed`() throws {
        let one = try #require(one)
        var book = book([one])
        #expect(book.ask("nas", at: .seconds(59)) == (.address(one), false))
        #expect(book.ask("nas", at: .seconds(60)) == (.address(one), true))
        #expect(book.ask("nas", at: .seconds(61)) == (.address(one), false))
    }

    @Test func `when links change, names of link-local addresses are looked up again`() throws {
        let zoned = IPAddress(ipv6: 0xFE80 << 48, 2, scope: 7)
        let answers = [[zoned], [try #require(one), zoned], [try #require(one)]]
        let looked = answers.map { addresses in
            var book = book(addresses)
            book.doubtZones(at: .seconds(1))
            return book.ask("nas", at: .seconds(1)).startsLookup
        }
        #expect(looked == [true, true, false])
    }

    @Test func `a change of address is told once`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var book = book([one])
        _ = book.ask("nas", at: .seconds(60))
        let change = AddressBook.Change(from: [one], to: [two])
        #expect(book.record(.addresses([two]), of: "nas", at: .seconds(60)) == change)
        _ = book.ask("nas", at: .seconds(120))
        #expect(book.record(.addresses([two]), of: "nas", at: .seconds(120)) == nil)
    }

    @Test func `a name that rotates its addresses keeps the one in use`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var book = book([one, two])
        _ = book.ask("nas", at: .seconds(60))
        #expect(book.record(.addresses([two, one]), of: "nas", at: .seconds(60)) == nil)
        #expect(book.ask("nas", at: .seconds(61)).answer == .addresses([one, two]))
    }

    @Test func `a resolver that fails leaves the old address in use`() throws {
        let one = try #require(one)
        var book = book([one])
        _ = book.ask("nas", at: .seconds(60))
        _ = book.record(.failure(Failure(.resolverFailed)), of: "nas", at: .seconds(65))
        #expect(book.ask("nas", at: .seconds(66)) == (.address(one), false))
        #expect(book.ask("nas", at: .seconds(70)) == (.address(one), true))
    }

    @Test func `a name that is gone is gone`() throws {
        var book = book([try #require(one)])
        _ = book.ask("nas", at: .seconds(60))
        _ = book.record(.failure(Failure(.nameNotFound)), of: "nas", at: .seconds(60))
        #expect(book.ask("nas", at: .seconds(60)) == (.failure(Failure(.nameNotFound)), false))
    }

    @Test func `a name that returns with another address has changed it, once`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var book = book([one])
        let gone = Resolution.failure(Failure(.nameNotFound))
        for (time, resolution, change) in [
            (60, gone, nil), (61, gone, nil), (62, .addresses([two]), AddressBook.Change(from: [one], to: [two])),
            (122, .addresses([two]), nil), (182, gone, nil), (183, .addresses([two]), nil),
        ] as [(Int, Resolution, AddressBook.Change?)] {
            #expect(book.ask("nas", at: .seconds(time)).startsLookup)
            #expect(book.record(resolution, of: "nas", at: .seconds(time)) == change, "\(time)")
        }
    }

    @Test func `a name that returns with its addresses in another order keeps the one in use`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var book = book([one, two])
        _ = book.ask("nas", at: .seconds(60))
        _ = book.record(.failure(Failure(.nameNotFound)), of: "nas", at: .seconds(60))
        _ = book.ask("nas", at: .seconds(61))
        #expect(book.record(.addresses([two, one]), of: "nas", at: .seconds(61)) == nil)
        #expect(book.ask("nas", at: .seconds(62)).answer == .addresses([one, two]))
    }

    @Test func `an unknown name is looked up again after a second`() {
        var book = AddressBook()
        _ = book.ask("nas", at: .zero)
        _ = book.record(.failure(Failure(.nameNotFound)), of: "nas", at: .zero)
        #expect(book.ask("nas", at: .milliseconds(999)) == (.failure(Failure(.nameNotFound)), false))
        #expect(book.ask("nas", at: .seconds(1)) == (.awaited, true))
    }

    @Test func `a doubt makes no lookup later than it would be`() {
        var book = AddressBook()
        _ = book.ask("nas", at: .zero)
        _ = book.record(.failure(Failure(.nameNotFound)), of: "nas", at: .zero)
        book.doubt("nas")
        #expect(book.ask("nas", at: .seconds(1)) == (.awaited, true))
    }

    @Test func `a lookup that could not be made is a fault, and leaves an address in use`() throws {
        let one = try #require(one)
        let fault = Fault(.tooManyFiles, detail: "out of file descriptors")
        var known = book([one])
        _ = known.ask("nas", at: .seconds(60))
        _ = known.record(.fault(fault), of: "nas", at: .seconds(60))
        #expect(known.ask("nas", at: .seconds(60)) == (.address(one), false))
        var unknown = AddressBook()
        _ = unknown.ask("nas", at: .zero)
        _ = unknown.record(.fault(fault), of: "nas", at: .zero)
        #expect(unknown.ask("nas", at: .zero) == (.fault(fault), false))
        #expect(unknown.ask("nas", at: .seconds(1)) == (.awaited, true))
    }

    @Test func `a failed probe has the name looked up again, but not each time`() throws {
        let one = try #require(one)
        var book = book([one])
        book.doubt("nas", isDown: true)
        #expect(book.ask("nas", at: .milliseconds(4_999)) == (.address(one), false))
        #expect(book.ask("nas", at: .seconds(5)) == (.address(one), true))
        _ = book.record(.addresses([one]), of: "nas", at: .seconds(6))
        // Before a verdict there is less time.
        book.doubt("nas")
        #expect(book.ask("nas", at: .milliseconds(6_999)) == (.address(one), false))
        #expect(book.ask("nas", at: .seconds(7)) == (.address(one), true))
    }

    @Test func `when the network is another, every name is looked up again, and the old address stays in use`() throws {
        let one = try #require(one)
        var book = book([one])
        _ = book.ask("unknown", at: .zero)
        _ = book.record(.failure(Failure(.nameNotFound)), of: "unknown", at: .seconds(1))
        book.doubtAll(at: .seconds(1))
        #expect(book.ask("nas", at: .seconds(1)) == (.address(one), true))
        #expect(book.ask("nas", at: .seconds(1)) == (.address(one), false))
        #expect(book.ask("unknown", at: .seconds(1)) == (.awaited, true))
    }

    @Test func `a name has an address and a history in each family`() throws {
        let (four, six) = (try #require(one), try #require(IPAddress(literal: "2001:db8::1")))
        let (asFour, asSix) = (NameQuery("nas", family: .v4), NameQuery("nas", family: .v6))
        var book = AddressBook()
        #expect(book.ask(asFour, at: .zero) == (.awaited, true))
        #expect(book.ask(asSix, at: .zero) == (.awaited, true))
        _ = book.record(.addresses([four]), of: asFour, at: .zero)
        #expect(book.ask(asFour, at: .zero) == (.address(four), false))
        #expect(book.ask(asSix, at: .zero) == (.awaited, false))
        #expect(book.record(.addresses([six]), of: asSix, at: .zero) == nil)
        book.forget(asFour)
        #expect(book.ask(asSix, at: .zero) == (.address(six), false))
    }

    @Test func `what a lookup brings for a forgotten name is nobody's`() throws {
        var book = AddressBook()
        _ = book.ask("nas", at: .zero)
        book.forget("nas")
        #expect(book.record(.addresses([try #require(one)]), of: "nas", at: .zero) == nil)
        #expect(book.ask("nas", at: .zero) == (.awaited, true))
    }
}

/// A name in any family.
extension NameQuery: ExpressibleByStringLiteral {
    /// The name.
    public init(stringLiteral host: String) {
        self.init(host)
    }
}

/// Tuples are equal if their parts are; the standard library says so for tuples of equatable values only by overload.
private func == (
    one: (answer: AddressBook.Answer, startsLookup: Bool),
    other: (AddressBook.Answer, Bool)
) -> Bool {
    one.answer == other.0 && one.startsLookup == other.1
}
