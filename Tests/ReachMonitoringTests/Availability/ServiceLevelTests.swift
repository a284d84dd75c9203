import Testing

@testable import ReachMonitoring

struct ServiceLevelTests {
    @Test(arguments: [
        (99.9, 1.0, ServiceLevel.Grade.met), (99.9, 0.999, .met), (99.9, 0.9989, .missed), (99.9, 0.99, .missed),
        (99.9, 0.9899, .farMissed), (99.9, 0, .farMissed), (100, 1, .met), (100, 0.9999, .farMissed),
        (90, 0.9, .met), (90, 0.8, .missed), (90, 0, .missed), (85, 0, .missed), (99.99, 0.9995, .missed),
        (99.99, 0.9989, .farMissed),
    ])
    func `far below is more than ten times the allowed unavailability`(
        percent: Double,
        availability: Double,
        grade: ServiceLevel.Grade
    ) {
        #expect(ServiceLevel(percent: percent).grade(of: availability) == grade)
    }

    @Test(arguments: [(99.9, "99.9%"), (99.95, "99.95%"), (99, "99%"), (100, "100%")])
    func `the text has no more decimals than the settings`(percent: Double, text: String) {
        #expect(ServiceLevel(percent: percent).text == text)
    }
}
