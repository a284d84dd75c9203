# Reports of a paused target are kept, and judge it when it is resumed.
target Shop quorum=majority hook=down.start
report Shop fra=12ms
  0s  Shop unknown→up
pause Shop
wait 10s
report Shop fra=down
wait 10s
resume Shop
  20s  Shop up→down
  20s  hook down of Shop (up→down)
verdict Shop
  Shop: down from fra for 10s
