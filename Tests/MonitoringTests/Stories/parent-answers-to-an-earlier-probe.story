# What the switch answers to a probe that was sent before the child's lost one says nothing: it is probed again.
requests
target Switch interval=1m
target NAS depends_on=Switch fall=1
Switch r
NAS    r x
  1s  Switch unknown→up
  1s  NAS unknown→up
  2s  · ask Switch at once
outcome Switch r 2s
  2s  · ask Switch at once
outcome Switch r 500ms
  2s  · ask Switch at once
wait 1s
Switch r
  4s  NAS up→down
  4s  · ask NAS every 1s, urgent

# It died in between: the child is blocked.
NAS    r x
  5s  NAS down→up
  5s  · ask NAS every 1s
  6s  · ask Switch at once
outcome Switch r 2s
  6s  · ask Switch at once
Switch . x x x
  8s  · ask Switch every 1s
  10s  Switch up→down
  10s  NAS blocked by Switch
  10s  · leave NAS alone
  10s  · ask Switch every 1s, urgent
