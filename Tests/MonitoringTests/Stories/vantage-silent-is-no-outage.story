# A vantage point that stops reporting does not count in the quorum, and is no outage.
target DNS quorum=majority stale_after=1m hook=down hook=fault hook=change
report DNS fra=12ms nyc=77ms syd=227ms
wait 40s
report DNS fra=12ms nyc=77ms
wait 40s
report DNS fra=12ms nyc=77ms
verdict DNS
wait 10s
report DNS fra=down nyc=77ms
verdict DNS
report DNS nyc=down
verdict DNS
wait 30s
report DNS fra=12ms nyc=77ms syd=230ms
verdict DNS
