# A vantage point that stops reporting does not count in the quorum, and is no outage.
target DNS quorum=majority stale_after=1m hook=down hook=fault hook=change
report DNS fra=12ms nyc=77ms syd=227ms
  0s  DNS unknown→up
wait 40s
report DNS fra=12ms nyc=77ms
wait 40s
report DNS fra=12ms nyc=77ms
verdict DNS
  DNS: up; syd not reporting for 1m20s (12ms)
wait 10s
report DNS fra=down nyc=77ms
verdict DNS
  DNS: up; fra disagrees for 0s; syd not reporting for 1m30s (77ms), disputed
report DNS nyc=down
  1m30s  DNS up→down
  1m30s  hook down of DNS (up→down)
  1m30s  hook change of DNS (up→down)
verdict DNS
  DNS: down from 2 of 2: fra, nyc for 0s; syd not reporting for 1m30s
wait 30s
report DNS fra=12ms nyc=77ms syd=230ms
  2m00s  DNS down→up
  2m00s  hook change of DNS (down→up)
verdict DNS
  DNS: up (77ms)
