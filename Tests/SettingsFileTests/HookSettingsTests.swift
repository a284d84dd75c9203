import Monitoring
import Testing

struct HookSettingsTests {
    @Test func `hooks of a target, its group and all apply together, in this order`() throws {
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
                    HookRule(on: [.up], run: .shell("mount /mnt/nas")),
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
            cooldown = "10m"
            timeout = "5s"
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
                    cooldown: .seconds(600),
                    timeout: .seconds(5)
                )
            ]
        )
    }

    @Test func `variables in commands are the shell's`() throws {
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
