# The switch is down before its children reach their threshold: they are blocked, and probed at once when it is back.
requests
target Switch
target NAS depends_on=Switch
Switch  r x x x
NAS     r . x .
  1s  Switch unknown→up
  1s  NAS unknown→up
  3s  · probe Switch now
  4s  Switch up→down
  4s  NAS blocked by Switch
  4s  · forget NAS
  4s  · probe Switch every 1s, urgent
NAS     x x

Switch  r
NAS     r
  7s  Switch down→up
  7s  NAS no longer blocked
  7s  · watch NAS
  7s  · probe NAS now
  7s  · probe Switch every 1s
