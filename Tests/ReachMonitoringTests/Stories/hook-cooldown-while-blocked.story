# A blocked target reports nothing. A deferred report is due with its first probe after that.
target Switch
target NAS depends_on=Switch hook=change cooldown=1m slow=500ms
Switch r
NAS r sss rrr
  1s  Switch unknown→up
  1s  NAS unknown→up
  4s  NAS up→degraded
  4s  hook change of NAS (up→degraded)
  7s  NAS degraded→up
  7s  NAS skips change: cooling down for another 57s
Switch xxx
  10s  Switch up→down
  10s  NAS blocked by Switch
wait 2m
Switch r
  2m11s  Switch down→up
  2m11s  NAS no longer blocked
wait 1s
NAS r
  2m13s  hook change of NAS (degraded→up)
