# An outage goes on over a pause: hooks fire once, and its end counts from its first lost probe.
target NAS hook=down.start+up min_down=6s
NAS r xxx
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
pause NAS
wait 2s
resume NAS
NAS xxx
pause NAS
wait 2s
resume NAS
show NAS
  NAS: down, for 9s, availability 17%, 1 outage, 7 samples
NAS x r
  13s  NAS down→up
show NAS
  NAS: up, for 0s, availability 13%, 1 outage, 9 samples
