# One is enough for any; a single dissent is enough against all.
target Any quorum=any
target All quorum=all
report Any fra=12ms nyc=down:HTTP_503 sin=90ms
report All fra=down nyc=down sin=90ms
verdict Any
verdict All
wait 40s
report All fra=down nyc=down sin=down
verdict All
