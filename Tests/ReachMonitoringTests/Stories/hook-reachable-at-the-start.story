# A rule with `once` and `at_start` runs at the start, and never again.
target NAS hook=up.start.once
NAS r
  1s  NAS unknown→up
  1s  hook up of NAS (unknown→up)
succeed
NAS r x x x r
  5s  NAS up→down
  6s  NAS down→up
