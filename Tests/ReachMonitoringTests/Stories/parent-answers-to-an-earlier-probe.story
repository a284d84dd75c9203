# A reply of the switch to a probe that was sent before the child's lost one does not count: it is probed again.
requests
target Switch interval=1m
target NAS depends_on=Switch fall=1
Switch r
NAS    r x
  1s  Switch unknown→up
  1s  NAS unknown→up
  2s  · probe Switch now
outcome Switch r 2s
  2s  · probe Switch now
outcome Switch r 500ms
  2s  · probe Switch now
wait 1s
Switch r
  4s  NAS up→down
  4s  · probe NAS every 1s, urgent

# The switch failed in between: the child is blocked.
NAS    r x
  5s  NAS down→up
  5s  · probe NAS every 1s
  6s  · probe Switch now
outcome Switch r 2s
  6s  · probe Switch now
Switch . x x x
  8s  · probe Switch every 1s
  10s  Switch up→down
  10s  NAS blocked by Switch
  10s  · forget NAS
  10s  · probe Switch every 1s, urgent
