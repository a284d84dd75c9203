# All vantage points agree, and on the reason too.
target Mail quorum=majority
report Mail fra=20ms nyc=80ms
wait 15s
report Mail fra=down:refused nyc=down:refused
wait 12s
verdict Mail
report Mail fra=down:refused nyc=down:HTTP_503
verdict Mail
