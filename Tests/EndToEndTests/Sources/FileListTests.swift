import Foundation
import Testing

extension EndToEnd {
    /// Lists of targets in files, compared with Debian's Prometheus.
    @Suite(.serialized) struct FileListTests {
        /// The lists, each after the name of its file.
        private static let lists = ##"""
            ### null_label.yml
            - targets: ['a:1']
              labels: {rack: , x: ~, y: null, z: y}
            ### merge.yml
            - &x
              targets: ['b:1']
              labels: &l {env: prod, a: one}
            - <<: *x
              labels:
                <<: *l
                a: two
            ### mergelist.yml
            - &x
              targets: ['c:1']
              labels: {env: prod}
            - <<: [*x, {targets: ['c:2'], labels: {q: w}}]
            ### mergelist2.yml
            - &l
              targets: ['c2:1']
              labels: &m {env: prod, k: v1}
            - targets: ['c2:2']
              labels:
                <<: [*m, {k: v2, j: v3}]
            ### emptylist.yml
            []
            ### empty.yml
            ### comment.yml
            # nothing
            ### doc.yml
            ---
            ### nulldoc.yml
            null
            ### nulltargets.yml
            - targets:
              labels: {a: b}
            ### notargets.yml
            - labels: {a: b}
            ### nulllabels.yml
            - targets: ['d:1']
              labels:
            ### numbers.yml
            - targets: ['e:1']
              labels: {a: 1, b: 1.5, c: true, d: yes, e: 0x10, f: 2001-01-01, g: 1e3, h: .inf,
                       i: 010, j: 1_000, k: off, m: .nan, n: 12:30:45, o: '~', p: !!str 7}
            ### numtargets.yml
            - targets: [1, 2.5, true, e:2, 1.10]
            ### nulltarget.yml
            - targets: ['f:1', ~]
            ### dupgroups.yml
            - targets: ['g:1']
              labels: {a: b}
            - targets: ['g:1']
              labels: {a: b}
            ### duptargets.yml
            - targets: ['g2:1', 'g2:1']
            ### unknown.yml
            - targets: ['h:1']
              foo: bar
            ### duplabel.yml
            - targets: ['j:1']
              labels: {a: b, a: c}
            ### nullgroup.yml
            - targets: ['k:1']
            -
            ### emptygroup.yml
            - {}
            - targets: ['l:1']
            ### scalargroup.yml
            - foo
            ### mapping.yml
            targets: ['m:1']
            ### scalartargets.yml
            - targets: 'n:1'
            ### listlabel.yml
            - targets: ['o:1']
              labels: {a: [b]}
            ### listlabels.yml
            - targets: ['p:1']
              labels: [b]
            ### badlabel.yml
            - targets: ['q:1']
              labels: {a-b: c}
            ### numkey.yml
            - targets: ['r:1']
              labels: {1: c}
            ### twodocs.yml
            - targets: ['s:1']
            ---
            - targets: ['s:2']
            ### emptytarget.yml
            - targets: ['']
            - targets: ['s3:1']
            ### mergeleft.yml
            - targets: ['t:1']
              labels:
                a: mine
                <<: {a: theirs, b: theirs}
            ### strmerge.yml
            - targets: ['v:1']
              labels: {'<<': x}
            ### badmerge.yml
            - targets: ['v2:1']
              labels: {<<: x}
            ### case.yml
            - Targets: ['x:1']
            ### longstr.yml
            - targets:
              - 'y:1'
              labels:
                b: >-
                  folded
                  text
            ### addr.yml
            - targets: ['z:1']
              labels: {__address__: 'zz:2', job: mine, instance: inst, __param_target: pt}
            ### emptylabel.yml
            - targets: ['aa:1']
              labels: {a: ''}
            ### nulllabelgroups.yml
            - targets: [ab:1]
              labels: {'': x}
            ### j_null.json
            [{"targets":null,"labels":null}]
            ### j_nulllabel.json
            [{"targets":["ja:1"],"labels":{"a":null,"b":"c"}}]
            ### j_num.json
            [{"targets":["jb:1"],"labels":{"a":1}}]
            ### j_bool.json
            [{"targets":["jb2:1"],"labels":{"a":true}}]
            ### j_numtarget.json
            [{"targets":[1]}]
            ### j_nulltarget.json
            [{"targets":["jc:1",null]}]
            ### j_empty.json
            ### j_nullroot.json
            null
            ### j_list.json
            []
            ### j_nullgroup.json
            [null]
            ### j_emptygroup.json
            [{}]
            ### j_unknown.json
            [{"targets":["jd:1"],"foo":1}]
            ### j_dup.json
            [{"targets":["je:2"],"labels":{"a":"c"}}]
            ### j_case.json
            [{"Targets":["jf:1"],"LABELS":{"a":"b"}}]
            ### j_obj.json
            {"targets":["jg:1"]}
            ### j_trailing.json
            [{"targets":["jh:1"]}] x
            ### j_badlabel.json
            [{"targets":["ji:1"],"labels":{"a-b":"c"}}]
            ### j_dupgroups.json
            [{"targets":["jj:1"]},{"targets":["jj:1"]}]
            """##

        /// The labels that are compared.
        private static let labels = ["__address__"] + "abcdefghijkmnopqxz".map(String.init) + ["env", "rack"]

        @Test(.enabled(if: Machine.hasPrometheus, "prometheus is missing"))
        func `a list has the targets and labels that Prometheus finds in it, or is refused by both`() async throws {
            let scratch = try Scratch()
            var (settings, jobs) = ("", "")
            let name = Self.labels.map { "\($0)=${label:\($0):-}" }.joined(separator: ";")
            let lists = Self.lists.split(separator: "### ").map { part in
                let end = part.firstIndex(of: "\n") ?? part.endIndex
                return (file: String(part[..<end]), text: String(part[end...].dropFirst()))
            }
            for (file, text) in lists {
                let path = try scratch.write(text, to: file)
                settings += "[[source]]\nfile = \"\(path)\"\ninterval = \"1h\"\n"
                settings += "url = \"http://127.0.0.1:9/${label:__address__}\"\n"
                settings += "group = \"\(file)\"\nname = \"\(file) \(name)\"\n"
                jobs += "- { job_name: \(file), file_sd_configs: [{ files: [\(path)] }] }\n"
            }
            let prometheus = try Prometheus(jobs: jobs, in: scratch)
            let watch = try await ListeningWatch(settings)
            let body = try watch.get("/targets").body
            let page = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            let targets = (page?["targets"] as? [[String: Any]] ?? []).compactMap { $0["target"] as? String }
            let found = Set(targets.map { $0.prefix { $0 != " " } })
            let expected = try await eventually("targets of Prometheus", within: .seconds(30)) {
                let targets = try? prometheus.discovered()
                return targets?.count ?? 0 < found.count ? nil : targets
            }
            let errors = watch.scratch.text(of: "err")
            let log = scratch.text(of: "prometheus.err")
            for (file, _) in lists {
                let found = Set(targets.filter { $0.hasPrefix("\(file) ") })
                let all = (expected[file] ?? []).map { labels in
                    "\(file) " + Self.labels.map { "\($0)=\(labels[$0]?.trimmed ?? "")" }.joined(separator: ";")
                }
                #expect(found == Set(all), "\(file)\n\(errors)")
                let isRefused = log.contains("Error reading file\" path=\(scratch.file(file)) ")
                let isRefusedHere = errors.split(separator: "\n").contains {
                    $0.contains("/\(file): ") && $0.hasSuffix("it has no targets yet")
                }
                #expect(isRefusedHere == isRefused, "\(file)\n\(errors)")
            }
            try await prometheus.stop()
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
