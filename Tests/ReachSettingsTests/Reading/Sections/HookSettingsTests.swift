import ReachMonitoring
import Testing

struct HookSettingsTests {
    @Test func `hooks of the target, its group and all targets are combined in this order`() throws {
        let settings = try read(
            """
            [[hook]]
            on = "change"
            run = "all"

            [[group.Home.hooks]]
            on = "down"
            run = "group"

            [[target]]
            url = "nas.local:445"
            group = "Home"
            when_reachable = "mount /mnt/nas"
              [[target.hooks]]
              on = ["up", "degraded"]
              run = ["notify-send", "NAS"]
              [[target.hooks]]
              on = "down"
              run = "target"

            [[target]]
            url = "192.0.2.1"
            """
        )
        #expect(
            settings.targets.map(\.hooks) == [
                [
                    HookRule(on: [.up], run: .shell("mount /mnt/nas"), runsWhileFlapping: true),
                    HookRule(on: [.up, .degraded], run: .program("notify-send", arguments: ["NAS"])),
                    HookRule(on: [.down], run: .shell("target")),
                    HookRule(on: [.down], run: .shell("group")),
                    HookRule(on: [.change], run: .shell("all")),
                ],
                [HookRule(on: [.change], run: .shell("all"))],
            ]
        )
    }

    @Test func `every key of a hook is read`() throws {
        let settings = try read(
            """
            [[hook]]
            on = "up"
            run = "true"
            once = true
            at_start = true
            within = "1h"
            min_down = "90s"
            cooldown = "10m"
            timeout = "5s"
            retries = 3
            allow_cellular = false
            unless_acknowledged = true
            while_flapping = true
            [[target]]
            url = "192.0.2.1"
            """
        )
        #expect(
            settings.targets.first?.hooks == [
                HookRule(
                    on: [.up],
                    run: .shell("true"),
                    isOnce: true,
                    firesAtStart: true,
                    within: .seconds(3_600),
                    minDown: .seconds(90),
                    cooldown: .seconds(600),
                    timeout: .seconds(5),
                    retries: 3,
                    allowsCellular: false,
                    skipsAcknowledged: true,
                    runsWhileFlapping: true
                )
            ]
        )
    }

    @Test func `a request is read with its secrets substituted and its fields unchanged`() throws {
        let settings = try read(
            """
            [[target]]
            url = "192.0.2.1"
              [[target.hooks]]
              on = ["flapping", "address"]
              request.url = "https://example.net/${TOKEN}?t=${REACH_TARGET}"
              request.method = "PUT"
              request.headers = { Authorization = "Bearer ${TOKEN}", X-Health = "${REACH_HEALTH}" }
              request.body = '{"name": "${REACH_TARGET}"}'
              [[target.hooks]]
              on = "up"
              request = { url = "http://192.0.2.7:8080/up" }
            """,
            environment: ["TOKEN": "s3cret", "REACH_TARGET": "wrong"]
        )
        let webhook = Webhook(
            url: "https://example.net/s3cret?t=${REACH_TARGET}",
            method: "PUT",
            headers: [
                HTTPOptions.Header(name: "Authorization", value: "Bearer s3cret"),
                HTTPOptions.Header(name: "X-Health", value: "${REACH_HEALTH}"),
            ],
            body: "{\"name\": \"${REACH_TARGET}\"}"
        )
        #expect(
            settings.targets.first?.hooks == [
                HookRule(on: [.flapping, .address], run: .request(webhook)),
                HookRule(on: [.up], run: .request(Webhook(url: "http://192.0.2.7:8080/up"))),
            ]
        )
    }

    @Test func `variables in commands are left to the shell`() throws {
        let settings = try read(
            """
            [[target]]
            url = "192.0.2.1"
            when_reachable = "echo ${REACH_TARGET} $${HOME}"
            hooks = [{ on = "down", run = ["echo", "${HOME}"] }]
            """,
            environment: ["HOME": "/root", "REACH_TARGET": "wrong"]
        )
        #expect(
            settings.targets.first?.hooks.map(\.action) == [
                .shell("echo ${REACH_TARGET} $${HOME}"), .program("echo", arguments: ["${HOME}"]),
            ]
        )
    }
}
