# A pause does not end an acknowledgement; the first reply after it does.
target NAS
NAS r x x x
  1s  NAS unknown→up
  4s  NAS up→down
acknowledge NAS
  4s  NAS acknowledged: known
pause NAS
wait 10s
resume NAS
NAS x x x r
  18s  NAS down→up
  18s  NAS acknowledgement ended: up again
