# Reports of a paused target are kept, and judge it when it is resumed.
target Shop quorum=majority hook=down.start
report Shop fra=12ms
pause Shop
wait 10s
report Shop fra=down
wait 10s
resume Shop
verdict Shop
