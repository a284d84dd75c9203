# A new acknowledgement replaces the old one with its time. A target that is up cannot be acknowledged.
target NAS
target Web
NAS r x x x
Web r r r r
  1s  NAS unknown→up
  1s  Web unknown→up
  4s  NAS up→down
acknowledge NAS Web 10s
  4s  NAS acknowledged for 10s: known
acknowledge NAS
  4s  NAS acknowledged: known
wait 10s
unacknowledge NAS Web
  14s  NAS acknowledgement removed
unacknowledge NAS
