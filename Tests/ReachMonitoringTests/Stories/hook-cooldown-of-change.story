# At the end of the cooldown, the present health is reported with the transition that led to it.
target NAS hook=change cooldown=1m slow=500ms
NAS r sss rrr
  1s  NAS unknown→up
  4s  NAS up→degraded
  4s  hook change of NAS (up→degraded)
  7s  NAS degraded→up
  7s  NAS skips change: cooling down for another 57s
NAS xxx
  10s  NAS up→down
  10s  NAS skips change: cooling down for another 54s
wait 1m
  1m10s  hook change of NAS (degraded→down)
wait 1m
