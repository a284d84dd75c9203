# An acknowledgement survives a reload that keeps its target.
target NAS
target Web
NAS x x x
Web x x x
  3s  NAS unknown→down
  3s  Web unknown→down
acknowledge NAS Web 1h
  3s  NAS acknowledged for 1h: known
  3s  Web acknowledged for 1h: known
reload
target NAS fall=5
wait 59m
wait 1m
  1h00m  NAS acknowledgement ended after 1h
