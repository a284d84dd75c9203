import Dashboard
import Monitoring
import Screen
import TestSupport

extension Scene {
    /// Halls of machines: most are up, some of them slow. A row in one hall is down, and a few machines are degraded,
    /// down or unknown.
    static func halls(_ sizes: [Int], columns: Int, rows: Int) -> Scene {
        let targets = sizes.enumerated().flatMap { hall, size in
            (0..<size).map { index in
                Target.make(
                    "\(hall + 1)-\(index)",
                    url: "icmp://10.\(hall).\(index / 250).\(index % 250 + 1)",
                    group: "Hall \(hall + 1)",
                    slow: .milliseconds(500)
                )
            }
        }
        var scene = Scene(targets, columns: columns, rows: rows)
        for _ in 0..<4 {
            scene.receiveAll { index, _ in
                switch index {
                case _ where index % 97 == 13: .timeout
                case _ where sizes.count > 2 && (sizes[0] + 8..<sizes[0] + 19).contains(index):
                    .failure(Failure(.hostUnreachable))
                case _ where index % 71 == 5: .reply(roundTrip: .milliseconds(640))
                case _ where index % 83 == 9: nil
                default: .reply(roundTrip: .milliseconds([1, 1, 2, 12, 3, 8, 70, 1, 2, 20, 5, 4, 260][index % 13]))
                }
            }
        }
        return scene
    }

    /// Halls that fill a screen: ten thousand machines on the largest one.
    static func halls(for size: Size) -> Scene {
        size.columns < 200 ? fewHalls : manyHalls
    }

    private static let fewHalls = halls([64, 90, 31, 7], columns: 80, rows: 24)
    private static let manyHalls = halls([2_400, 1_700, 3_100, 900, 1_900], columns: 200, rows: 50)
}
