# All vantage points agree, and on the reason too.
target Mail quorum=majority
report Mail fra=20ms nyc=80ms
  0s  Mail unknown→up
wait 15s
report Mail fra=down:refused nyc=down:refused
  15s  Mail up→down
wait 12s
verdict Mail
  Mail: down everywhere for 12s: refused
report Mail fra=down:refused nyc=down:HTTP_503
verdict Mail
  Mail: down everywhere for 12s
