import ReachMonitoring
import Testing

@testable import ReachProbing

struct AddressCacheTests {
    private let one = IPAddress(literal: "192.0.2.1")
    private let two = IPAddress(literal: "192.0.2.2")

    /// A cache with the addresses of `nas`, recorded at time zero.
    private func cache(_ addresses: [IPAddress]) -> AddressCache {
        var cache = AddressCache()
        _ = cache.lookUp("nas", at: .zero)
        _ = cache.record(.addresses(addresses), of: "nas", at: .zero)
        return cache
    }

    @Test func `concurrent queries share one lookup`() throws {
        var cache = AddressCache()
        let one = try #require(one)
        #expect(cache.lookUp("nas", at: .zero) == (.pending, true))
        #expect(cache.lookUp("nas", at: .seconds(100)) == (.pending, false))
        #expect(cache.record(.addresses([one]), of: "nas", at: .seconds(100)) == nil)
        #expect(cache.lookUp("nas", at: .seconds(100)) == (.address(one), false))
    }

    @Test func `the old address stays in use while it is refreshed`() throws {
        let one = try #require(one)
        var cache = cache([one])
        #expect(cache.lookUp("nas", at: .seconds(59)) == (.address(one), false))
        #expect(cache.lookUp("nas", at: .seconds(60)) == (.address(one), true))
        #expect(cache.lookUp("nas", at: .seconds(61)) == (.address(one), false))
    }

    @Test func `when links change, names of link-local addresses are looked up again`() throws {
        let zoned = IPAddress(ipv6: 0xFE80 << 48, 2, scope: 7)
        let answers = [[zoned], [try #require(one), zoned], [try #require(one)]]
        let lookups = answers.map { addresses in
            var cache = cache(addresses)
            cache.invalidateLinkLocal(at: .seconds(1))
            return cache.lookUp("nas", at: .seconds(1)).startsLookup
        }
        #expect(lookups == [true, true, false])
    }

    @Test func `a change of address is reported once`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var cache = cache([one])
        _ = cache.lookUp("nas", at: .seconds(60))
        let change = AddressCache.Change(from: [one], to: [two])
        #expect(cache.record(.addresses([two]), of: "nas", at: .seconds(60)) == change)
        _ = cache.lookUp("nas", at: .seconds(120))
        #expect(cache.record(.addresses([two]), of: "nas", at: .seconds(120)) == nil)
    }

    @Test func `rotated addresses keep their order`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var cache = cache([one, two])
        _ = cache.lookUp("nas", at: .seconds(60))
        #expect(cache.record(.addresses([two, one]), of: "nas", at: .seconds(60)) == nil)
        #expect(cache.lookUp("nas", at: .seconds(61)).answer == .addresses([one, two]))
    }

    @Test func `the old address stays in use when the resolver fails`() throws {
        let one = try #require(one)
        var cache = cache([one])
        _ = cache.lookUp("nas", at: .seconds(60))
        _ = cache.record(.failure(Failure(.resolverFailed)), of: "nas", at: .seconds(65))
        #expect(cache.lookUp("nas", at: .seconds(66)) == (.address(one), false))
        #expect(cache.lookUp("nas", at: .seconds(70)) == (.address(one), true))
    }

    @Test func `a name that no longer exists is a failure`() throws {
        var cache = cache([try #require(one)])
        _ = cache.lookUp("nas", at: .seconds(60))
        _ = cache.record(.failure(Failure(.nameNotFound)), of: "nas", at: .seconds(60))
        #expect(cache.lookUp("nas", at: .seconds(60)) == (.failure(Failure(.nameNotFound)), false))
    }

    @Test func `a name that returns with another address reports one change`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var cache = cache([one])
        let gone = Resolution.failure(Failure(.nameNotFound))
        for (time, resolution, change) in [
            (60, gone, nil), (61, gone, nil), (62, .addresses([two]), AddressCache.Change(from: [one], to: [two])),
            (122, .addresses([two]), nil), (182, gone, nil), (183, .addresses([two]), nil),
        ] as [(Int, Resolution, AddressCache.Change?)] {
            #expect(cache.lookUp("nas", at: .seconds(time)).startsLookup)
            #expect(cache.record(resolution, of: "nas", at: .seconds(time)) == change, "\(time)")
        }
    }

    @Test func `a name that returns with its addresses in another order keeps their order`() throws {
        let (one, two) = (try #require(one), try #require(two))
        var cache = cache([one, two])
        _ = cache.lookUp("nas", at: .seconds(60))
        _ = cache.record(.failure(Failure(.nameNotFound)), of: "nas", at: .seconds(60))
        _ = cache.lookUp("nas", at: .seconds(61))
        #expect(cache.record(.addresses([two, one]), of: "nas", at: .seconds(61)) == nil)
        #expect(cache.lookUp("nas", at: .seconds(62)).answer == .addresses([one, two]))
    }

    @Test func `an unknown name is looked up again after a second`() {
        var cache = AddressCache()
        _ = cache.lookUp("nas", at: .zero)
        _ = cache.record(.failure(Failure(.nameNotFound)), of: "nas", at: .zero)
        #expect(cache.lookUp("nas", at: .milliseconds(999)) == (.failure(Failure(.nameNotFound)), false))
        #expect(cache.lookUp("nas", at: .seconds(1)) == (.pending, true))
    }

    @Test func `shortening the lifetime never delays a lookup`() {
        var cache = AddressCache()
        _ = cache.lookUp("nas", at: .zero)
        _ = cache.record(.failure(Failure(.nameNotFound)), of: "nas", at: .zero)
        cache.shortenLifetime(of: "nas")
        #expect(cache.lookUp("nas", at: .seconds(1)) == (.pending, true))
    }

    @Test func `a lookup that cannot be made is a fault, and a known address stays in use`() throws {
        let one = try #require(one)
        let fault = Fault(.tooManyFiles, detail: "out of file descriptors")
        var known = cache([one])
        _ = known.lookUp("nas", at: .seconds(60))
        _ = known.record(.fault(fault), of: "nas", at: .seconds(60))
        #expect(known.lookUp("nas", at: .seconds(60)) == (.address(one), false))
        var unknown = AddressCache()
        _ = unknown.lookUp("nas", at: .zero)
        _ = unknown.record(.fault(fault), of: "nas", at: .zero)
        #expect(unknown.lookUp("nas", at: .zero) == (.fault(fault), false))
        #expect(unknown.lookUp("nas", at: .seconds(1)) == (.pending, true))
    }

    @Test func `a failed probe causes a new lookup, but not every time`() throws {
        let one = try #require(one)
        var cache = cache([one])
        cache.shortenLifetime(of: "nas", isDown: true)
        #expect(cache.lookUp("nas", at: .milliseconds(4_999)) == (.address(one), false))
        #expect(cache.lookUp("nas", at: .seconds(5)) == (.address(one), true))
        _ = cache.record(.addresses([one]), of: "nas", at: .seconds(6))
        // Before the verdict the pause is shorter.
        cache.shortenLifetime(of: "nas")
        #expect(cache.lookUp("nas", at: .milliseconds(6_999)) == (.address(one), false))
        #expect(cache.lookUp("nas", at: .seconds(7)) == (.address(one), true))
    }

    @Test func `after a change of the network every name is looked up again`() throws {
        let one = try #require(one)
        var cache = cache([one])
        _ = cache.lookUp("unknown", at: .zero)
        _ = cache.record(.failure(Failure(.nameNotFound)), of: "unknown", at: .seconds(1))
        cache.invalidateAll(at: .seconds(1))
        #expect(cache.lookUp("nas", at: .seconds(1)) == (.address(one), true))
        #expect(cache.lookUp("nas", at: .seconds(1)) == (.address(one), false))
        #expect(cache.lookUp("unknown", at: .seconds(1)) == (.pending, true))
    }

    @Test func `a name has a separate entry for each family`() throws {
        let (four, six) = (try #require(one), try #require(IPAddress(literal: "2001:db8::1")))
        let (asFour, asSix) = (NameQuery("nas", family: .v4), NameQuery("nas", family: .v6))
        var cache = AddressCache()
        #expect(cache.lookUp(asFour, at: .zero) == (.pending, true))
        #expect(cache.lookUp(asSix, at: .zero) == (.pending, true))
        _ = cache.record(.addresses([four]), of: asFour, at: .zero)
        #expect(cache.lookUp(asFour, at: .zero) == (.address(four), false))
        #expect(cache.lookUp(asSix, at: .zero) == (.pending, false))
        #expect(cache.record(.addresses([six]), of: asSix, at: .zero) == nil)
        cache.forget(asFour)
        #expect(cache.lookUp(asSix, at: .zero) == (.address(six), false))
    }

    @Test func `a lookup of a removed name is ignored`() throws {
        var cache = AddressCache()
        _ = cache.lookUp("nas", at: .zero)
        cache.forget("nas")
        #expect(cache.record(.addresses([try #require(one)]), of: "nas", at: .zero) == nil)
        #expect(cache.lookUp("nas", at: .zero) == (.pending, true))
    }
}

/// A query for a name in any family.
extension NameQuery: ExpressibleByStringLiteral {
    /// Creates a query from the name.
    public init(stringLiteral host: String) {
        self.init(host)
    }
}

/// Compares labelled with unlabelled tuples; the standard library has overloads for equal labels only.
private func == (
    one: (answer: AddressCache.Answer, startsLookup: Bool),
    other: (AddressCache.Answer, Bool)
) -> Bool {
    one.answer == other.0 && one.startsLookup == other.1
}
