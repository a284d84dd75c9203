# A pause drops the reports that a cooldown deferred.
target NAS hook=down+up cooldown=1m
NAS r xxx r
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
NAS xxx
  8s  NAS up→down
  8s  NAS skips down+up: cooling down for another 56s
pause NAS
wait 2m
resume NAS
NAS xxx
wait 2m
