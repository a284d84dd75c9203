# A target that a reload adds behind a parent that is down is never probed.
requests
target Switch
Switch r x x x
  1s  Switch unknown→up
  4s  Switch up→down
  4s  · probe Switch every 1s, urgent
reload
target Switch
target NAS depends_on=Switch
show NAS
  4s  NAS blocked by Switch
  4s  · forget NAS
  NAS: blocked, by Switch, for 0s, availability unknown, 0 samples
Switch r
NAS r
  5s  Switch down→up
  5s  NAS no longer blocked
  5s  · watch NAS
  5s  · probe NAS now
  5s  · probe Switch every 1s
  5s  NAS unknown→up
