# An acknowledgement ends when its time is over.
target NAS
NAS r x x x
  1s  NAS unknown→up
  4s  NAS up→down
acknowledge NAS 10s
  4s  NAS acknowledged for 10s: known
wait 9s
wait 1s
  14s  NAS acknowledgement ended after 10s
wait 10s
