# One is enough for any; a single dissent is enough against all.
target Any quorum=any
target All quorum=all
report Any fra=12ms nyc=down:HTTP_503 sin=90ms
  0s  Any unknown→down
report All fra=down nyc=down sin=90ms
  0s  All unknown→up
verdict Any
  Any: down from 1 of 3: nyc for 0s: HTTP 503; fra 12ms, sin 90ms, disputed
verdict All
  All: up; fra, nyc disagree for 0s (90ms), disputed
wait 40s
report All fra=down nyc=down sin=down
  40s  All up→down
verdict All
  All: down everywhere for 0s
