# An outage that was not reported is reported when the cooldown ends, also if the rule's last report is an outage.
target NAS hook=down cooldown=10m flapping=false
NAS r xxx r xxx
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  8s  NAS up→down
  8s  NAS skips down: cooling down for another 9m56s
wait 10m
  10m08s  hook down of NAS (up→down)
