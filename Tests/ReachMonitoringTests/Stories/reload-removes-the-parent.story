# A reload removes the parent that blocks.
requests
target Switch
target NAS depends_on=Switch
Switch r x x x
NAS    r . . .
  1s  Switch unknown→up
  1s  NAS unknown→up
  4s  Switch up→down
  4s  NAS blocked by Switch
  4s  · forget NAS
  4s  · probe Switch every 1s, urgent
reload
target NAS depends_on=Switch
  4s  NAS no longer blocked
  4s  · forget removed target
  4s  · watch NAS
  4s  · probe NAS now
NAS r
